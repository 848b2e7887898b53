import { ok, route, type JsonSchema, type Route } from "../../http/route.ts";
import { periodQuery, webhookParams, type WebhookParams } from "../../http/schema.ts";
import { parseBound } from "../../http/values.ts";
import type { RequestedPeriod } from "../requested-period.ts";
import type { ExplainPeriod } from "./period.ts";
import {
  periodAnswer,
  platformAnswer,
  presentForPlatform,
  presentPeriod,
} from "./present-period.ts";

type PeriodQuery = { since?: string; until?: string };

const query: JsonSchema = { type: "object", properties: periodQuery };

/** Explains why one webhook received nothing in a period: for its enterprise, and for operators. */
export function explainPeriodRoutes(explain: ExplainPeriod): Route[] {
  return [
    route<WebhookParams, PeriodQuery>({
      ...{ permission: "webhooks.read", family: "platform", limit: "api", method: "GET" },
      path: "/webhooks/{webhookId}/explain",
      operationId: "explainWebhook",
      summary: "Explain what a webhook received in a period, and why it did not receive the rest",
      params: webhookParams,
      query,
      answer: { status: 200, schema: periodAnswer },
      handle: async ({ caller, params, query: asked }) =>
        ok(
          presentPeriod(
            await explain.ofEnterprise(caller.enterpriseId, params.webhookId, periodOf(asked)),
          ),
        ),
    }),
    route<WebhookParams, PeriodQuery>({
      ...{ permission: "platform.read", family: "platform", limit: "api", method: "GET" },
      path: "/platform/webhooks/{webhookId}/explain",
      operationId: "explainPlatformWebhook",
      summary: "Explain what a webhook of any enterprise received in a period, for operators",
      params: webhookParams,
      query,
      answer: { status: 200, schema: platformAnswer },
      handle: async ({ caller, params, query: asked }) =>
        ok(
          presentForPlatform(
            await explain.ofPlatform(caller.enterpriseId, params.webhookId, periodOf(asked)),
          ),
          { "Cache-Control": "no-store" },
        ),
    }),
  ];
}

function periodOf({ since, until }: PeriodQuery): RequestedPeriod {
  return { since: parseBound("since", since), until: parseBound("until", until) };
}
