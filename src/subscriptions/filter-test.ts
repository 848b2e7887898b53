/** Tests filters and conditions against past events before they are saved. */
import { compileFilters, explainFilters, type EventMatcher } from "../contracts/filters.ts";
import { createEventLoopYielder } from "../platform/concurrency/pace.ts";
import type { Db } from "../platform/db/pool.ts";
import { checkConditions, compileConditions } from "../pipeline/ledger/conditions.ts";
import { lazyContent } from "../pipeline/ledger/match-event.ts";
import { listNewestEvents, readBodies, type PastEvent } from "../pipeline/ledger/queries/events.ts";
import { checkFilters } from "./settings/setting.ts";
import { createExpensiveQueryLimiter } from "../http/limits.ts";
import {
  eventSummaryMembers,
  exactObject,
  integer,
  limitQuery,
  nullableTimestamp,
  oldNameOf,
  presentEventSummary,
  text,
} from "../http/schema.ts";
import { parsePage } from "../http/paging.ts";
import { ok, route, type JsonSchema, type Route } from "../http/route.ts";
import { toTimestampOrNull } from "../platform/timestamps.ts";
import { maxFilters } from "./settings/table.ts";

export type Trial = {
  filters: readonly string[];
  /** A query on the payload, as the client sends it. */
  conditions?: unknown;
  /** How many of the newest events to test. */
  limit: number;
};

export type TrialResult = {
  /** Fewer than requested if the conditions take too long. */
  examined: number;
  /** Time of the oldest event tested; null if there was none. */
  oldest: Date | null;
  passedFilters: number;
  matched: number;
  /** Events whose content was redacted, so that conditions cannot be tested. */
  undetermined: number;
  /** Filters that matched none of these events. */
  unusedFilters: string[];
  /** The first 100 matches, newest first, each with the filters that matched it. */
  events: { event: PastEvent; filters: string[] }[];
};

/** Tests filters and conditions against past events. Changes nothing. */
export type FilterTest = (enterpriseId: number, trial: Trial) => Promise<TrialResult>;

type TrialCounts = {
  examined: number;
  passed: PastEvent[];
  matched: PastEvent[];
  undetermined: number;
};

const testRule = { defaultLimit: 500, maxLimit: 1_000 };

const texts = { type: "array", items: text } as const;

export function createFilterTest({ db }: { db: Db }): FilterTest {
  const limiter = createExpensiveQueryLimiter();
  const evaluate = createTrial(db);
  return async (enterpriseId, trial) => {
    checkFilters(trial.filters);
    const { conditions } = trial;
    const query =
      conditions === undefined || conditions === null ? null : checkConditions(conditions);
    return limiter(enterpriseId, () => evaluate(enterpriseId, trial, query));
  };
}

const maxShownEvents = 100;

function createTrial(db: Db) {
  return async (
    enterpriseId: number,
    { filters, limit }: Trial,
    query: string | null,
  ): Promise<TrialResult> => {
    const events = await listNewestEvents(db, enterpriseId, limit);
    const passes = compileFilters(filters);
    const { examined, passed, matched, undetermined } =
      query === null
        ? evaluateFilters(events, passes)
        : await evaluateContents(db, events, { passes, holds: compileConditions(query) });
    const used = new Set(passed.flatMap((event) => passedBy(filters, event)));
    return {
      examined,
      oldest: events[examined - 1]?.occurredAt ?? null,
      passedFilters: passed.length,
      matched: matched.length,
      undetermined,
      unusedFilters: filters.filter((filter) => !used.has(filter)),
      events: matched
        .slice(0, maxShownEvents)
        .map((event) => ({ event, filters: passedBy(filters, event) })),
    };
  };
}

function evaluateFilters(events: readonly PastEvent[], passes: EventMatcher): TrialCounts {
  const passed = events.filter((event) => passes(event));
  return { examined: events.length, passed, matched: passed, undetermined: 0 };
}

const batchSize = 50;

const budgetMs = 2_000;

type TrialMatcher = { passes: EventMatcher; holds: (payload: unknown) => boolean };

/**
 * Reads bodies in small batches, because a thousand of the largest would not fit into memory. Stops
 * after the batch in which the time runs out.
 */
async function evaluateContents(
  db: Db,
  events: readonly PastEvent[],
  { passes, holds }: TrialMatcher,
): Promise<TrialCounts> {
  const assessed: TrialCounts = { examined: 0, passed: [], matched: [], undetermined: 0 };
  const yieldToEventLoop = createEventLoopYielder();
  const endsAt = performance.now() + budgetMs;
  while (assessed.examined < events.length && performance.now() < endsAt) {
    const batch = events.slice(assessed.examined, assessed.examined + batchSize);
    const passed = batch.filter((event) => passes(event));
    const bodies = await readBodies(db, passed);
    for (const event of passed) {
      const content = lazyContent(bodies.get(event.id) ?? null);
      assessed.undetermined += content.isKept ? 0 : 1;
      if (content.isKept && holds(content.payload())) {
        assessed.matched.push(event);
      }
      await yieldToEventLoop();
    }
    assessed.passed.push(...passed);
    assessed.examined += batch.length;
  }
  return assessed;
}

function passedBy(filters: readonly string[], event: PastEvent): string[] {
  const failed = new Set(explainFilters(filters, event).map(({ filter }) => filter));
  return filters.filter((filter) => !failed.has(filter));
}

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
  undetermined: integer,
  unjudged: oldNameOf("undetermined", integer),
  unused_filters: texts,
  events: {
    type: "array",
    items: exactObject("FilterTestEvent", {
      ...eventSummaryMembers,
      filters: texts,
    }),
  },
});

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
    undetermined: result.undetermined,
    unjudged: result.undetermined,
    unused_filters: result.unusedFilters,
    events: result.events.map(({ event, filters }) => ({
      ...presentEventSummary(event),
      filters,
    })),
  };
}
