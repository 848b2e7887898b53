/** What a ticket told: its events, gathered from what the API knows of it. */
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
  /** How it is explained. */
  request: ExplainRequest;
}>;

/** The newest of something, and whether there is more that is older. */
type Newest<Item> = Readonly<{ items: Item[]; isCut: boolean }>;

/** What became of an event; asked again while it is on its way somewhere. */
export function explainQuery(request: ExplainRequest) {
  return queryOptions({
    queryKey: ["deliveries", "explain", request],
    queryFn: () => fetchExplanation(request),
    refetchInterval: ({ state: { data } }) =>
      data?.webhooks.some(isOnItsWay) === true ? 2_000 : false,
  });
}

/** Verdicts that are over within seconds: the event is on its way. */
function isOnItsWay({ verdict, until }: ExplainedWebhook): boolean {
  return (
    verdict === "in_flight" ||
    verdict === "not_fanned_out" ||
    (verdict === "waiting" && until === null)
  );
}

/** What was told of a ticket, in the order in which it happened: of a long history the newest. */
export async function eventsOfTicket(
  ticketId: number,
  extraTimes: readonly string[],
): Promise<{ events: ExplainableEvent[]; isCut: boolean }> {
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
    isCut: own.isCut || timeline.isCut || delivered.isCut,
  };
}

const mostEntries = 200;

async function timelineOf(ticketId: number): Promise<Newest<ExplainableEvent>> {
  const entries = await orNone(
    call(
      api.GET("/api/tickets/{ticketId}/events", {
        // One more than is shown tells whether that is all.
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
  return { items, isCut: (entries ?? []).length > mostEntries };
}

async function deliveredTimes(objectId: string): Promise<Newest<string>> {
  const query = { object: "ticket", objectId, limit: 100 } as const;
  const { data, next_cursor: next } = await call(
    api.GET("/api/webhooks/deliveries", { params: { query } }),
  );
  return { items: data.map(({ created }) => created), isCut: next !== null };
}

/** The newest events of an object around these times, whether a webhook got them or not. */
async function eventsAround(
  object: string,
  objectId: string,
  times: readonly string[],
): Promise<Newest<ExplainableEvent>> {
  const { around, isCut } = newestTimes(times);
  const found = await Promise.all(
    around.map((time) => orNone(fetchExplanation({ object, objectId, time }))),
  );
  const candidates = found.flatMap((one) => one?.candidates ?? []);
  const unique = [...new Map(candidates.map((one) => [one.event_id, one])).values()];
  return {
    items: unique.map((one) => ({ ...one, request: { event_id: one.event_id } })),
    isCut,
  };
}

/** Undefined where nothing is known, or whoever asks may not see it. */
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
