/** Sends the invitations, with an idempotency key per order that all retries share. */
import { api, call } from "../base/api.ts";
import { asProblem, type ApiProblem } from "../base/problem.ts";
import { newId } from "../shared/new-id.ts";
import { wait } from "../shared/wait.ts";
import type { Recipient } from "./recipients.ts";
import type { Service } from "./services.ts";

/** One API call: a ticket for one recipient, or a meeting with all. */
export type Order = Readonly<{
  key: string;
  service: Service;
  recipients: readonly Recipient[];
  /** For tickets; empty for none. */
  reference: string;
  /** For tickets: login of the user. */
  agent: string;
}>;

export type Link = Readonly<{
  name: "customer" | "information" | "agent" | "meeting";
  url: string;
}>;

export type Outcome =
  | Readonly<{ state: "waiting" }>
  | Readonly<{ state: "done"; id: number; name: string; links: readonly Link[] }>
  | Readonly<{ state: "failed"; problem: ApiProblem }>;

const [maxAttempts, firstPauseMs] = [3, 400];

export async function send(order: Order): Promise<Outcome> {
  for (let made = 1; ; made += 1) {
    const outcome = await attempt(order);
    if (outcome.state !== "failed" || !isPassing(outcome.problem) || made === maxAttempts) {
      return outcome;
    }
    await wait(firstPauseMs * made);
  }
}

async function attempt(order: Order): Promise<Outcome> {
  const [recipient] = order.recipients;
  try {
    return order.service.kind === "ticket" && recipient !== undefined
      ? await makeTicket(order, recipient)
      : await makeMeeting(order);
  } catch (thrown) {
    return { state: "failed", problem: asProblem(thrown) };
  }
}

async function makeTicket(order: Order, recipient: Recipient): Promise<Outcome> {
  const ticket = await call(
    api.POST("/api/tickets", {
      params: { header: header(order.key) },
      body: {
        ...contactOf(recipient),
        agent: order.agent,
        service_key: order.service.service_key,
        invite: 1,
        ...(order.reference === "" ? {} : { reference: order.reference }),
      },
    }),
  );
  const { id, agent_url: agentUrl, button_id: buttonId } = ticket;
  return {
    ...{ state: "done", id, name: "" },
    links: [
      { name: "customer", url: ticket.requestor_url },
      { name: "information", url: ticket.information_page_url },
      { name: "agent", url: `${agentUrl}/entrypoint/${buttonId}/tickets/${id}` },
    ],
  };
}

function contactOf({ kind, value }: Recipient) {
  return kind === "phone" ? { phone: value } : { email: value };
}

async function makeMeeting({ key, service, recipients }: Order): Promise<Outcome> {
  const meeting = await call(
    api.POST("/api/conferences", {
      params: { header: header(key) },
      body: {
        participants: recipients.map(({ value }) => value).join(","),
        service_key: service.service_key,
        invite: 1,
      },
    }),
  );
  const links = [{ name: "meeting", url: meeting.short_url }] as const;
  return { state: "done", id: meeting.id, name: meeting.name, links };
}

function header(key: string) {
  return { "Idempotency-Key": key };
}

/** A network error, 502 or 503: transient, so the same call is retried. */
function isPassing({ status }: ApiProblem): boolean {
  return status === 0 || status === 502 || status === 503;
}

type InvitationInput = Readonly<{
  service: Service;
  recipients: readonly Recipient[];
  reference: string;
  agent: string;
}>;

/** One order per recipient for assistance, one order in total for a meeting. */
export function ordersOf(
  { service, recipients, ...input }: InvitationInput,
  makeKey = newId,
): Order[] {
  const groups =
    service.kind === "ticket" ? recipients.map((recipient) => [recipient]) : [recipients];
  return groups.map((group) => ({ ...input, service, recipients: group, key: makeKey() }));
}
