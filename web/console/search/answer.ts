/** What the lists answered, put together. Pure. */
import type { components } from "../../base/api-types.ts";
import type { SearchIntent } from "./kinds.ts";

type Schemas = components["schemas"];

type Ticket = Schemas["TicketItem"] | Schemas["Ticket"];

export type SearchHits = Readonly<{
  tickets: readonly Ticket[];
  meetings: readonly Schemas["Conference"][];
  events: readonly Schemas["WebhookDeliveryItem"][];
  deliveries: readonly Schemas["WebhookDelivery"][];
}>;

/** What one list found. */
export type PartialResult = Readonly<Partial<SearchHits>>;

export type ResultList = "tickets" | "meetings" | "deliveries";

/** The list that knows things of a kind. */
export const listOf: Readonly<Record<SearchIntent["kind"], ResultList>> = {
  ticket: "tickets",
  reference: "tickets",
  phone: "tickets",
  email: "tickets",
  meeting: "meetings",
  event: "deliveries",
  delivery: "deliveries",
};

/** A question and how it fared; neither data nor an error while it is asked. */
export type SearchRequest = Readonly<{
  intent: SearchIntent;
  data: PartialResult | undefined;
  error: unknown;
}>;

export type Answer = Readonly<{
  found: SearchHits;
  /** The kinds that were looked for, each in all of its list. */
  searched: readonly SearchIntent["kind"][];
  /** The lists that did not answer everything, and why. */
  failed: readonly Readonly<{ list: ResultList; error: unknown }>[];
}>;

/** Out of all that may be looked for, and of the questions that this takes: what one list cannot
 * tell takes nothing from what the others found. */
export function answerOf(
  allowed: readonly SearchIntent[],
  query: readonly SearchRequest[],
): Answer {
  const failed = new Map(
    query
      .filter(({ error }) => error !== null)
      .map(({ intent, error }) => [listOf[intent.kind], error]),
  );
  return {
    found: join(query.flatMap(({ data }) => data ?? [])),
    searched: allowed.map(({ kind }) => kind).filter((kind) => !failed.has(listOf[kind])),
    failed: [...failed].map(([list, error]) => ({ list, error })),
  };
}

function join(parts: readonly PartialResult[]): SearchHits {
  return {
    tickets: once(parts.flatMap(({ tickets = [] }) => tickets)),
    meetings: once(parts.flatMap(({ meetings = [] }) => meetings)),
    events: once(parts.flatMap(({ events = [] }) => events)),
    deliveries: once(parts.flatMap(({ deliveries = [] }) => deliveries)),
  };
}

function once<Item extends { id: number }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
