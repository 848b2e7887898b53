/** Tickets for tests of the console's pages, with their users and the customers' actions. */
import type { Page } from "playwright-core";
import { ticketStates, type TicketState } from "../../src/contracts/events.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { type TicketAction, transition } from "../../src/contracts/tickets.ts";
import { admin, agent, useBrowserPlatform } from "./browser-platform.ts";
import { useBrowser } from "./browser.ts";
import { callAsGuest, openLink } from "./call-customer.ts";
import type { Login, RestClient } from "./rest-client.ts";

const people = [
  ["Jeanne", "Lefèvre-Castellane"],
  ["Amadou", "Traoré"],
  ["Sofia", "Hernández"],
  ["Maximilian-Alexander", "von Hohenstein"],
  ["Li", "Wei"],
  ["Camille", "Martin"],
] as const;

const subjects = [
  "Fuite sous l’évier de la cuisine, le robinet ne ferme plus",
  "Boiler shows error E13 and does not start",
  null,
  "Internet box: all lamps are red since this morning",
];

const password = "Correct-horse-9";
export const viewer: Login = { login: "viewer@demo.example", password };
export const otherAgent: Login = { login: "second.agent@demo.example", password };

/** The action of the state machine for each action of the pages. */
const moveOfAction = {
  take: "take",
  approve: "approve",
  invite: "invite",
  complete: "complete",
  close: "close",
  assign: "transfer",
  edit: "change",
  reject: "reject",
  cancel: "cancel",
  remove: "remove",
} as const satisfies Record<string, TicketAction>;
type Offered = keyof typeof moveOfAction;

/** Actions that agents may not use, even on their own tickets. */
export const ofManagers: readonly Offered[] = ["approve", "reject", "close"];

export type Made = { id: number; requestor_url: string; button_id: number; reference: string };

export function useTicketsConsole() {
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  let client: RestClient | undefined;
  let groupId = 0;
  const rest = (): RestClient => {
    if (client === undefined) {
      throw new Error("The client signs in in a before hook");
    }
    return client;
  };

  const create = async (fields: Record<string, unknown> = {}): Promise<Made> => {
    const body = { agent: agent.login, email: "jane.doe@example.com", ...fields };
    return (await rest().succeed("POST /tickets", { body })).body as Made;
  };

  const stateIs = (ticketId: number, state: TicketState) =>
    rowsOf(platform.db, "UPDATE tickets SET state = ? WHERE id = ?", [state, ticketId]);

  /** Makes the requests of a customer's browser. */
  const asCustomer = async (ticket: Made, ...calls: [path: string, body: object][]) => {
    const token = await openLink(platform.url, ticket.requestor_url);
    for (const [path, json] of calls) {
      await callAsGuest(platform.url, path, { token, json });
    }
  };

  const open = async (
    login: Login,
    path: string,
    options: Parameters<typeof browser.open>[0] = {},
  ): Promise<Page> => {
    const page = await browser.open(options);
    await platform.signIn(page, login, path);
    return page;
  };

  const offered = async (page: Page): Promise<Offered[]> => {
    const more = page.getByRole("button", { name: "More", exact: true });
    if ((await more.count()) > 0) {
      await more.click();
      await page.getByRole("menu").waitFor();
    }
    const found = await page.evaluate(
      '[...document.querySelectorAll("[data-action]")].map((one) => one.dataset.action)',
    );
    return (found as Offered[]).toSorted();
  };

  const allowed = (state: TicketState, except: readonly Offered[] = []): Offered[] =>
    (Object.keys(moveOfAction) as Offered[])
      .filter(
        (action) => transition(state, moveOfAction[action]).isAllowed && !except.includes(action),
      )
      .toSorted();

  before(async function () {
    this.timeout(120_000);
    client = await platform.rest(admin);
    const users: [Login, string, boolean][] = [
      [viewer, "viewer", false],
      [otherAgent, "agent", true],
    ];
    const ids: number[] = [];
    for (const [login, role, isAgent] of users) {
      const [firstname = ""] = login.login.split("@");
      const body = { ...login, email: login.login, firstname, lastname: "Doe", role, isAgent };
      ids.push(Number((await rest().succeed("POST /users", { body })).body["id"]));
    }
    const group = await rest().succeed(`POST /enterprises/${platform.enterpriseId}/user-groups`, {
      body: { name: "Paris", members: ids.slice(0, 1) },
    });
    groupId = Number(group.body["id"]);
    for (let i = 0; i < 57; i += 1) {
      const [firstname, lastname] = people[i % people.length] ?? people[0];
      const { id } = await create({
        ...{ firstname, lastname, reference: `CRM-2026-${4700 + i}` },
        ...(i % 3 === 0 ? { phone: `+336123456${10 + i}` } : {}),
        ...(subjects[i % 4] === null ? {} : { subject: subjects[i % 4] }),
      });
      await stateIs(id, ticketStates[i % ticketStates.length] ?? "new");
    }
  });

  return {
    platform,
    rest,
    create,
    stateIs,
    asCustomer,
    open,
    offered,
    allowed,
    /** A group of the viewer. */
    groupId: () => groupId,
  };
}
