import { createPasswords } from "../../src/accounts/credentials.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import type { Receiver } from "./receiver.ts";
import type { Login, RestClient } from "./rest-client.ts";
import type { Stack } from "./stack.ts";
import { aTicketFixture } from "./tickets.ts";

/** A subscription of a customer, and what it selects. */
export type Watching = {
  readonly id: number;
  /** Path of the receiver, which distinguishes its requests from those of other subscriptions. */
  readonly path: string;
  readonly secret: string;
  readonly isOrdered: boolean;
  asksFor(event: { object: string }): boolean;
};

/** A new enterprise, with a client signed in as its administrator. */
export type Customer = {
  readonly enterpriseId: number;
  readonly agentLogin: string;
  readonly admin: Login;
  readonly api: RestClient;
  /** Subscribes to all events, delivered to `/all`. */
  watchAll(receiver: Receiver): Promise<Watching>;
  /**
   * Subscribes to tickets only, with the events of each ticket strictly in order, delivered to
   * `/tickets`.
   */
  watchTickets(receiver: Receiver): Promise<Watching>;
  createTicket(headers?: Record<string, string>): Promise<number>;
};

const password = "Correct-horse-9";

type WatchInput = { path: string; filter: string; ordered: boolean };

async function watch(
  api: RestClient,
  receiver: Receiver,
  { path, filter, ordered }: WatchInput,
): Promise<Watching> {
  const url = new URL(path, receiver.url).href;
  const body = { name: path, url, filters: [filter], ordered, active: true };
  const answer = await api.succeed("POST /webhooks", { body });
  return {
    id: Number(answer.body["id"]),
    path,
    secret: String(answer.body["secret"]),
    isOrdered: ordered,
    asksFor: ({ object }) => filter === "*" || filter === `${object}.*`,
  };
}

/** A body for `POST /tickets`, with fictitious numbers. */
export function ticketBody(agentLogin: string) {
  return {
    agent: agentLogin,
    name: "Jane Doe",
    email: "jane@example.com",
    subject: "No picture",
  };
}

export async function aCustomer(db: Db, stack: Pick<Stack, "logIn">): Promise<Customer> {
  const { enterpriseId, admin, agent } = await aTicketFixture(db);
  await rowsOf(db, "UPDATE users SET password_hash = ? WHERE id = ?", [
    await createPasswords().hash(password),
    admin.id,
  ]);
  const api = await stack.logIn({ login: admin.login, password });
  return {
    enterpriseId,
    agentLogin: agent.login,
    admin: { login: admin.login, password },
    api,
    watchAll: (receiver) => watch(api, receiver, { path: "/all", filter: "*", ordered: false }),
    watchTickets: (receiver) =>
      watch(api, receiver, { path: "/tickets", filter: "ticket.*", ordered: true }),
    createTicket: async (headers = {}) => {
      const body = ticketBody(agent.login);
      const answer = await api.succeed("POST /tickets", { body, headers });
      return Number(answer.body["id"]);
    },
  };
}
