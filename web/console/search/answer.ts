/** Combines the search results of all lists. Pure. */
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

/** The results of one list. */
export type PartialResult = Readonly<Partial<SearchHits>>;

export type ResultList = "tickets" | "meetings" | "deliveries";

/** The list to search for each kind. */
export const listOf: Readonly<Record<SearchIntent["kind"], ResultList>> = {
  ticket: "tickets",
  reference: "tickets",
  phone: "tickets",
  email: "tickets",
  meeting: "meetings",
  event: "deliveries",
  delivery: "deliveries",
};

/** A search request; neither data nor error while pending. */
export type SearchRequest = Readonly<{
  intent: SearchIntent;
  data: PartialResult | undefined;
  error: unknown;
}>;

export type Answer = Readonly<{
  found: SearchHits;
  /** The kinds that were searched completely. */
  searched: readonly SearchIntent["kind"][];
  /** Lists that failed, and why. */
  failed: readonly Readonly<{ list: ResultList; error: unknown }>[];
}>;

/** Combines the results; a failed list does not hide the results of the others. */
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
