import { exactObject, integer, nullableTimestamp, text, limitQuery } from "../../http/schema.ts";
import { parsePage } from "../../http/paging.ts";
import { ok, route, type JsonSchema, type Route } from "../../http/route.ts";
import { toTimestampOrNull } from "../../platform/timestamps.ts";
import { eventSummaryMembers, presentEventSummary } from "../../http/event-summary.ts";
import { maxFilters } from "../settings/table.ts";
import type { FilterTest, TrialResult } from "./service.ts";

const testRule = { defaultLimit: 500, maxLimit: 1_000 };

const texts = { type: "array", items: text } as const;

const filterTestSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["filters"],
  properties: {
    filters: {
      type: "array",
      maxItems: maxFilters,
      uniqueItems: true,
      items: { type: "string", minLength: 1, maxLength: 128, format: "event-filter" },
    },
    conditions: { type: ["object", "null"], described: { minProperties: 1 } },
    ...limitQuery(testRule),
  },
};

type FilterTestBody = {
  filters: string[];
  conditions?: Record<string, unknown> | null;
  limit?: number;
};

const filterTestAnswer = exactObject("FilterTest", {
  examined: integer,
  oldest: nullableTimestamp,
  passed_filters: integer,
  matched: integer,
  unjudged: integer,
  unused_filters: texts,
  events: {
    type: "array",
    items: exactObject("FilterTestEvent", {
      ...eventSummaryMembers,
      filters: texts,
    }),
  },
});

/** Tries filters and conditions before they are saved. */
export function filterTestRoutes(test: FilterTest): Route[] {
  return [
    route<unknown, unknown, FilterTestBody>({
      permission: "webhooks.read",
      family: "platform",
      limit: "api",
      method: "POST",
      path: "/webhooks/filter-test",
      operationId: "testWebhookFilters",
      summary: "Preview which recent events would match filters and conditions",
      body: filterTestSchema,
      answer: { status: 200, schema: filterTestAnswer },
      handle: async ({ caller, body }) => {
        const { filters, conditions } = body;
        const { limit } = parsePage({ limit: body.limit ?? testRule.defaultLimit }, testRule);
        return ok(presentTrial(await test(caller.enterpriseId, { filters, conditions, limit })));
      },
    }),
  ];
}

function presentTrial(result: TrialResult) {
  return {
    examined: result.examined,
    oldest: toTimestampOrNull(result.oldest),
    passed_filters: result.passedFilters,
    matched: result.matched,
    unjudged: result.unjudged,
    unused_filters: result.unusedFilters,
    events: result.events.map(({ event, filters }) => ({
      ...presentEventSummary(event),
      filters,
    })),
  };
}
