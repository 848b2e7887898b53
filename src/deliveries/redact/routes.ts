import { actorOf } from "../../http/authorize.ts";
import { exactObject, integer, text, timestamp } from "../../http/schema.ts";
import { ok, route, type JsonSchema, type Route } from "../../http/route.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import type { RedactEvent } from "./service.ts";

const eventParams: JsonSchema = {
  type: "object",
  required: ["eventId"],
  properties: { eventId: { type: "string", pattern: "^evt_[0-9a-f-]{36}$" } },
};

const redactedAnswer = exactObject("ExpungedEvent", {
  id: text,
  expunged: timestamp,
  cancelled: integer,
  under_way: integer,
});

/** The operation that removes the content of an event. */
export function redactRoutes(expunge: RedactEvent): Route[] {
  return [
    route<{ eventId: string }>({
      permission: "webhooks.write",
      family: "platform",
      limit: "api",
      method: "POST",
      path: "/webhooks/events/{eventId}/expunge",
      operationId: "expungeWebhookEvent",
      summary: "Remove the content of an event everywhere webhooks store it",
      params: eventParams,
      answer: { status: 200, schema: redactedAnswer },
      problems: ["conflict"],
      handle: async (request) => {
        const result = await expunge(actorOf(request), request.params.eventId);
        return ok({
          id: result.id,
          expunged: toTimestamp(result.expunged),
          cancelled: result.cancelled,
          under_way: result.underWay,
        });
      },
    }),
  ];
}
