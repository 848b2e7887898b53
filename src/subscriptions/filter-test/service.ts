import { compileFilters, explainFilters, type EventMatcher } from "../../contracts/filters.ts";
import { createEventLoopYielder } from "../../platform/concurrency/sleep.ts";
import type { Db } from "../../platform/db/pool.ts";
import { checkConditions, compileConditions } from "../../pipeline/ledger/conditions.ts";
import { lazyContent } from "../../pipeline/ledger/match-event.ts";
import {
  listNewestEvents,
  readBodies,
  type PastEvent,
} from "../../pipeline/ledger/queries/events.ts";
import { checkFilters } from "../settings/rules.ts";
import { createExpensiveQueryLimiter } from "../../http/limits.ts";

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
  /** Their content was redacted, so the conditions cannot be tested. */
  unjudged: number;
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
  unjudged: number;
};

export function createFilterTest({ db }: { db: Db }): FilterTest {
  const ask = createExpensiveQueryLimiter();
  const evaluate = createTrial(db);
  return async (enterpriseId, trial) => {
    checkFilters(trial.filters);
    const { conditions } = trial;
    const query =
      conditions === undefined || conditions === null ? null : checkConditions(conditions);
    return ask(enterpriseId, () => evaluate(enterpriseId, trial, query));
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
    const { examined, passed, matched, unjudged } =
      query === null
        ? evaluateFilters(events, passes)
        : await evaluateContents(db, events, { passes, holds: compileConditions(query) });
    const used = new Set(passed.flatMap((event) => passedBy(filters, event)));
    return {
      examined,
      oldest: events[examined - 1]?.occurredAt ?? null,
      passedFilters: passed.length,
      matched: matched.length,
      unjudged,
      unusedFilters: filters.filter((filter) => !used.has(filter)),
      events: matched
        .slice(0, maxShownEvents)
        .map((event) => ({ event, filters: passedBy(filters, event) })),
    };
  };
}

function evaluateFilters(events: readonly PastEvent[], passes: EventMatcher): TrialCounts {
  const passed = events.filter((event) => passes(event));
  return { examined: events.length, passed, matched: passed, unjudged: 0 };
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
  const assessed: TrialCounts = { examined: 0, passed: [], matched: [], unjudged: 0 };
  const yieldToEventLoop = createEventLoopYielder();
  const endsAt = performance.now() + budgetMs;
  while (assessed.examined < events.length && performance.now() < endsAt) {
    const batch = events.slice(assessed.examined, assessed.examined + batchSize);
    const passed = batch.filter((event) => passes(event));
    const bodies = await readBodies(db, passed);
    for (const event of passed) {
      const content = lazyContent(bodies.get(event.id) ?? null);
      assessed.unjudged += content.isKept ? 0 : 1;
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
