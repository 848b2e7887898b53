import { objectKinds } from "../../contracts/events.ts";
import { invalidParameter, missingParameter } from "../../contracts/problems.ts";
import { ok, route, type JsonSchema, type Route } from "../../http/route.ts";
import { parseTimestamp } from "../../platform/timestamps.ts";
import { explainAnswer, presentExplanation } from "./present.ts";
import type { Explain, Question } from "./service.ts";

const eventId = {
  type: "string",
  maxLength: 64,
  described: { pattern: "^evt_[0-9A-Za-z_-]{1,60}$" },
} as const;

type ExplainQuery = { event?: string; object?: string; objectId?: string; time?: string };

const explainSchema: JsonSchema = {
  type: "object",
  properties: {
    event: eventId,
    object: { type: "string", enum: objectKinds },
    objectId: { type: "string", maxLength: 64 },
    time: {
      type: "string",
      maxLength: 40,
      described: {
        anyOf: [
          { type: "string", format: "date-time" },
          { type: "string", pattern: "^[0-9]{1,11}$" },
        ],
      },
    },
  },
};

/** Why did this webhook not get that event? */
export function explainRoutes(explain: Explain): Route[] {
  return [
    route<unknown, ExplainQuery>({
      permission: "webhooks.read",
      family: "platform",
      limit: "api",
      method: "GET",
      path: "/webhooks/explain",
      operationId: "explainWebhookEvent",
      summary: "What happened to an event at every webhook, and why",
      query: explainSchema,
      answer: { status: 200, schema: explainAnswer },
      problems: ["not_found"],
      handle: async ({ caller, query }) =>
        ok(presentExplanation(await explain(caller.enterpriseId, questionOf(query)))),
    }),
  ];
}

function questionOf({ event, object, objectId, time }: ExplainQuery): Question {
  if (event !== undefined) {
    return { messageId: event };
  }
  if (object === undefined) {
    throw missingParameter("event", "Give event, or object, objectId and time.");
  }
  if (objectId === undefined) {
    throw missingParameter("objectId");
  }
  if (time === undefined) {
    throw missingParameter("time");
  }
  return { object, objectId, at: parseTime(time) };
}

/** A timestamp, or UNIX seconds as in the `time` of a body. */
function parseTime(text: string): Date {
  const date = /^\d{1,11}$/u.test(text) ? new Date(Number(text) * 1_000) : parseTimestamp(text);
  if (date === undefined) {
    throw invalidParameter(
      "time",
      "format",
      "The time field is invalid: it must be UNIX seconds, or a time in ISO 8601 with its offset.",
    );
  }
  return date;
}
