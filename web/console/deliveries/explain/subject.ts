/** What a ticket told: its events, gathered from what the API knows of it. */
import type { operations } from "../../../base/api-types.ts";
import { api, call } from "../../../base/api.ts";
import { asProblem } from "../../../base/problem.ts";
import type { Explanation } from "../model.ts";
import { coveringTimes, type Asked } from "./question.ts";

export type ToldEvent = Readonly<{
  object: string;
  event: string;
  event_type: string | null;
  object_id: number | string;
  time: string;
  /** How it is explained. */
  asked: Asked;
}>;

type ExplainQuery = NonNullable<operations["explainWebhookEvent"]["parameters"]["query"]>;

const mostTimes = 8;

/** Undefined where nothing is known, or whoever asks may not see it. */
const orNone = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (thrown) {
    if ([403, 404].includes(asProblem(thrown).status)) {
      return undefined;
    }
    throw thrown;
  }
};

export const explainAsked = (asked: Asked): Promise<Explanation> =>
  call(
    api.GET("/api/webhooks/explain", {
      params: { query: asked as ExplainQuery },
    }),
  );

/** All events of an object around any of these times, whether a webhook got them or not. */
const eventsAround = async (
  object: string,
  objectId: string,
  times: readonly string[],
): Promise<ToldEvent[]> => {
  const around = coveringTimes(times).slice(0, mostTimes);
  const found = await Promise.all(
    around.map((time) => orNone(explainAsked({ object, objectId, time }))),
  );
  const candidates = found.flatMap((one) => one?.candidates ?? []);
  return [...new Map(candidates.map((one) => [one.webhook_id, one])).values()].map((one) => ({
    ...one,
    asked: { event: one.webhook_id },
  }));
};

const timelineOf = async (ticketId: number): Promise<ToldEvent[]> => {
  const entries = await orNone(
    call(
      api.GET("/api/tickets/{ticketId}/events", {
        params: { path: { ticketId }, query: { limit: 200 } },
      }),
    ),
  );
  return (entries ?? []).map(({ id, eventType, created }) => ({
    object: "conversationevent",
    event: "create",
    event_type: eventType,
    object_id: id,
    time: created,
    asked: { object: "conversationevent", objectId: String(id), time: created },
  }));
};

const deliveredTimes = async (objectId: string): Promise<string[]> => {
  const query = { object: "ticket", objectId, limit: 100 } as const;
  const { data } = await call(api.GET("/api/webhooks/deliveries", { params: { query } }));
  return data.map(({ created }) => created);
};

/** Everything that was told of a ticket, in the order in which it happened. */
export const eventsOfTicket = async (
  ticketId: number,
  moments: readonly string[],
): Promise<ToldEvent[]> => {
  const [timeline, delivered] = await Promise.all([
    timelineOf(ticketId),
    deliveredTimes(String(ticketId)),
  ]);
  const times = [...moments, ...delivered, ...timeline.map(({ time }) => time)];
  const own = await eventsAround("ticket", String(ticketId), times);
  const rank = ({ object }: ToldEvent): number => (object === "ticket" ? 0 : 1);
  return [...own, ...timeline].toSorted(
    (one, other) =>
      new Date(one.time).getTime() - new Date(other.time).getTime() || rank(one) - rank(other),
  );
};
