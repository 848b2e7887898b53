import { parsePage } from "../../http/paging.ts";
import { eventStreamType, ok, route, type Route, type JsonSchema } from "../../http/route.ts";
import { webhookParams, type WebhookParams } from "../../http/schema.ts";
import { eventPageAnswer, parseCursor, presentPage } from "./present.ts";
import type { Pull } from "./service.ts";
import { limitQuery } from "../../http/schema.ts";

const maxWaitSeconds = 25;

const pullRule = { defaultLimit: 100, maxLimit: 1_000 };

const afterField = {
  type: "string",
  minLength: 1,
  maxLength: 64,
  pattern: "^[A-Za-z0-9_-]+$",
  rule: "a cursor that this API returned",
};

export type PullQuery = { after?: string; limit?: number; wait?: number };

export type StreamQuery = { after?: string };

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

/** Keeps proxies from buffering the stream. */
const unbuffered = { "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no" };

const pullSchema: JsonSchema = {
  type: "object",
  properties: {
    after: afterField,
    ...limitQuery(pullRule),
    wait: { type: "integer", minimum: 0, maximum: maxWaitSeconds },
  },
};

const streamSchema: JsonSchema = { type: "object", properties: { after: afterField } };

/** The operations with which a receiver pulls events. */
export function pullRoutes(pull: Pull): Route[] {
  return [
    route<WebhookParams, PullQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}/events",
      operationId: "pullWebhookEvents",
      summary: "List the events of a webhook after a cursor (pull)",
      params: webhookParams,
      query: pullSchema,
      answer: { status: 200, schema: eventPageAnswer },
      handle: async ({ caller, params: { webhookId }, query }) => {
        const { limit } = parsePage(query, pullRule);
        const page = await pull.list(caller, webhookId, {
          after: sequenceOf(webhookId, query.after),
          limit,
          waitMs: (query.wait ?? 0) * 1_000,
        });
        return ok(presentPage(webhookId, page));
      },
    }),
    route<WebhookParams, StreamQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}/events/stream",
      operationId: "streamWebhookEvents",
      summary: "Stream the events of a webhook as server-sent events",
      params: webhookParams,
      query: streamSchema,
      answer: { status: 200, produces: [eventStreamType] },
      handle: async ({ caller, params: { webhookId }, query, header }) => {
        const after = sequenceOf(webhookId, header("last-event-id") ?? query.after);
        const data = await pull.stream(caller, webhookId, after);
        return {
          status: 200,
          content: { type: eventStreamType, data },
          headers: unbuffered,
        };
      },
    }),
  ];
}

function sequenceOf(webhookId: number, cursor: string | undefined): number | undefined {
  return cursor === undefined || cursor === "" ? undefined : parseCursor(webhookId, cursor);
}
