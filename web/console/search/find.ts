/** Asks the lists that may know a word, each that the role may read, at the same time. */
import type { components } from "../../base/api-types.ts";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import type { Session } from "../../base/session.ts";
import { may } from "../../base/session.ts";
import type { Permission } from "../../../src/contracts/permissions.ts";
import { questionsOf, type Wanted } from "./kinds.ts";

type Schemas = components["schemas"];
type Ticket = Schemas["TicketItem"] | Schemas["Ticket"];

export type Found = Readonly<{
  tickets: readonly Ticket[];
  meetings: readonly Schemas["Conference"][];
  events: readonly Schemas["WebhookDeliveryItem"][];
  deliveries: readonly Schemas["WebhookDelivery"][];
}>;

export type Answer = Readonly<{
  found: Found;
  /** The kinds that were looked for. */
  looked: readonly Wanted["kind"][];
}>;

const most = 20;

type Partly = Readonly<Partial<Found>>;

/** What is not there, or out of reach, was not found. */
const orNothing = async (asking: Promise<Partly>): Promise<Partly> => {
  try {
    return await asking;
  } catch (thrown) {
    const { status } = asProblem(thrown);
    if (status === 404 || status === 403 || status === 400) {
      return {};
    }
    throw thrown;
  }
};

const ticketById = async (ticketId: number): Promise<Partly> => ({
  tickets: [await call(api.GET("/api/tickets/{ticketId}", { params: { path: { ticketId } } }))],
});

/** By a part of what a ticket says, or of its customer's name, address or number. */
const ticketsByText = async (search: string): Promise<Partly> => {
  const query = { search, limit: most };
  return { tickets: (await call(api.GET("/api/tickets", { params: { query } }))).data };
};

const meetings = async (search: string): Promise<Partly> => {
  const query = { search, limit: most };
  return { meetings: (await call(api.GET("/api/conferences", { params: { query } }))).data };
};

const eventById = async (eventId: string): Promise<Partly> => {
  const query = { eventId, limit: most };
  return { events: (await call(api.GET("/api/webhooks/deliveries", { params: { query } }))).data };
};

const deliveryById = async (deliveryId: number): Promise<Partly> => ({
  deliveries: [
    await call(
      api.GET("/api/webhooks/deliveries/{deliveryId}", { params: { path: { deliveryId } } }),
    ),
  ],
});

const needs: Record<Wanted["kind"], Permission> = {
  ticket: "tickets.read",
  reference: "tickets.read",
  phone: "tickets.read",
  email: "tickets.read",
  meeting: "conferences.read",
  event: "webhooks.read",
  delivery: "webhooks.read",
};

const ask = (wanted: Wanted): Promise<Partly> => {
  switch (wanted.kind) {
    case "ticket":
      return ticketById(wanted.id);
    case "reference":
      return ticketsByText(wanted.reference);
    case "phone":
      return ticketsByText(wanted.phone);
    case "email":
      return ticketsByText(wanted.email);
    case "meeting":
      return meetings(wanted.text);
    case "event":
      return eventById(wanted.id);
    case "delivery":
      return deliveryById(wanted.id);
    default:
      return wanted satisfies never;
  }
};

const once = <Item extends { id: number }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

const join = (parts: readonly Partly[]): Found => ({
  tickets: once(parts.flatMap(({ tickets = [] }) => tickets)),
  meetings: once(parts.flatMap(({ meetings: found = [] }) => found)),
  events: once(parts.flatMap(({ events = [] }) => events)),
  deliveries: once(parts.flatMap(({ deliveries = [] }) => deliveries)),
});

/** Rejects where the platform cannot answer; what the role may not read is not asked for. */
export const find = async (wanted: readonly Wanted[], session: Session): Promise<Answer> => {
  const allowed = wanted.filter(({ kind }) => may(session, needs[kind]));
  const parts = await Promise.all(questionsOf(allowed).map((one) => orNothing(ask(one))));
  return {
    found: join(parts),
    looked: allowed.map(({ kind }) => kind),
  };
};
