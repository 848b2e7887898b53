/** The events of a ticket, collected from the API. */
import { queryOptions } from "@tanstack/react-query";
import type { operations } from "../../../base/api-types.ts";
import { api, call } from "../../../base/api.ts";
import { asProblem } from "../../../base/problem.ts";
import type { ExplainedWebhook, Explanation } from "../model.ts";
import { newestTimes, type ExplainRequest } from "./explain-search.ts";

export type ExplainableEvent = Readonly<{
  object: string;
  event: string;
  event_type: string | null;
  object_id: number | string;
  time: string;
  /** Request parameters for the explanation. */
  request: ExplainRequest;
}>;

/** The newest items, and whether there are older ones. */
type Newest<Item> = Readonly<{ items: Item[]; isTruncated: boolean }>;

/** Explains an event; polls while a delivery is pending. */
export function explainQuery(request: ExplainRequest) {
  return queryOptions({
    queryKey: ["deliveries", "explain", request],
    queryFn: () => fetchExplanation(request),
    refetchInterval: ({ state: { data } }) =>
      data?.webhooks.some(isOnItsWay) === true ? 2_000 : false,
  });
}

/** Transient results that last seconds: the event is on its way. */
function isOnItsWay({ verdict, until }: ExplainedWebhook): boolean {
  return (
    verdict === "in_flight" ||
    verdict === "not_fanned_out" ||
    (verdict === "waiting" && until === null)
  );
}

/** The events of a ticket in chronological order; of a long history only the newest. */
export async function eventsOfTicket(
  ticketId: number,
  extraTimes: readonly string[],
): Promise<{ events: ExplainableEvent[]; isTruncated: boolean }> {
  const [timeline, delivered] = await Promise.all([
    timelineOf(ticketId),
    deliveredTimes(String(ticketId)),
  ]);
  const times = [...extraTimes, ...delivered.items, ...timeline.items.map(({ time }) => time)];
  const own = await eventsAround("ticket", String(ticketId), times);
  const rank = ({ object }: ExplainableEvent): number => (object === "ticket" ? 0 : 1);
  return {
    events: [...own.items, ...timeline.items].toSorted(
      (one, other) =>
        new Date(one.time).getTime() - new Date(other.time).getTime() || rank(one) - rank(other),
    ),
    isTruncated: own.isTruncated || timeline.isTruncated || delivered.isTruncated,
  };
}

const mostEntries = 200;

async function timelineOf(ticketId: number): Promise<Newest<ExplainableEvent>> {
  const entries = await orNone(
    call(
      api.GET("/api/tickets/{ticketId}/events", {
        // One more than shown, to detect whether there are more.
        params: { path: { ticketId }, query: { limit: mostEntries + 1, order: "desc" } },
      }),
    ),
  );
  const items = (entries ?? []).slice(0, mostEntries).map(({ id, eventType, created }) => ({
    object: "conversationevent",
    event: "create",
    event_type: eventType,
    object_id: id,
    time: created,
    request: { object: "conversationevent", objectId: String(id), time: created },
  }));
  return { items, isTruncated: (entries ?? []).length > mostEntries };
}

async function deliveredTimes(objectId: string): Promise<Newest<string>> {
  const query = { object: "ticket", objectId, limit: 100 } as const;
  const { data, next_cursor: next } = await call(
    api.GET("/api/webhooks/deliveries", { params: { query } }),
  );
  return { items: data.map(({ created }) => created), isTruncated: next !== null };
}

/** The newest events of an object around these times, delivered or not. */
async function eventsAround(
  object: string,
  objectId: string,
  times: readonly string[],
): Promise<Newest<ExplainableEvent>> {
  const { around, isTruncated } = newestTimes(times);
  const found = await Promise.all(
    around.map((time) => orNone(fetchExplanation({ object, objectId, time }))),
  );
  const candidates = found.flatMap((one) => one?.candidates ?? []);
  const unique = [...new Map(candidates.map((one) => [one.event_id, one])).values()];
  return {
    items: unique.map((one) => ({ ...one, request: { event_id: one.event_id } })),
    isTruncated,
  };
}

/** undefined if not found or not permitted. */
async function orNone<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (thrown) {
    if ([403, 404].includes(asProblem(thrown).status)) {
      return undefined;
    }
    throw thrown;
  }
}

type ExplainQuery = NonNullable<operations["explainWebhookEvent"]["parameters"]["query"]>;

function fetchExplanation(request: ExplainRequest): Promise<Explanation> {
  return call(
    api.GET("/api/webhooks/explain", {
      params: { query: request as ExplainQuery },
    }),
  );
}
