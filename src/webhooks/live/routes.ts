import { eventStreamType, ok, route, type Route } from "../../http/route.ts";
import { liveAnswer } from "./answers.ts";
import type { Live } from "./service.ts";

/** Proxies must pass on what comes, as it comes. */
const unbuffered = { "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no" };

/** What is going on now. Stands before the operations on `{webhookId}`. */
export function liveRoutes(live: Live): Route[] {
  return [
    route({
      method: "GET",
      path: "/webhooks/live",
      operationId: "watchWebhookDeliveries",
      summary: "What is going on with all deliveries, once or every second",
      permission: "webhooks.read",
      family: "platform",
      limit: "api",
      answer: { status: 200, schema: liveAnswer, produces: [eventStreamType] },
      handle: async ({ caller, header }) => {
        if (!(header("accept") ?? "").includes(eventStreamType)) {
          return ok(await live.snapshot(caller), { "Cache-Control": "no-store" });
        }
        const data = live.stream(caller);
        return { status: 200, content: { type: eventStreamType, data }, headers: unbuffered };
      },
    }),
  ];
}
