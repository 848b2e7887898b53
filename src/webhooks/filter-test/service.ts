import { compileFilters, explainFilters } from "../../contracts/filters.ts";
import type { Db } from "../../platform/db/pool.ts";
import { checkConditions, compileConditions } from "../../pipeline/ledger/conditions.ts";
import { openContent } from "../../pipeline/ledger/revisions.ts";
import { listNewestEvents, readBodies, type PastEvent } from "../explain/events.ts";
import { checkFilters } from "../model.ts";

export type Trial = {
  filters: readonly string[];
  /** A query on the payload as a client gives it; undefined or null for none. */
  conditions?: unknown;
  /** How many of the newest events to look at. */
  limit: number;
};

export type TrialResult = {
  examined: number;
  /** When the oldest event that was looked at happened; null where there is none. */
  oldest: Date | null;
  passedFilters: number;
  matched: number;
  /** The content is gone, so nobody can say whether the conditions would have held. */
  unjudged: number;
  /** Filters that let none of these events through. */
  unusedFilters: string[];
  /** The first 100 that matched, newest first, each with the filters that let it through. */
  events: { event: PastEvent; filters: string[] }[];
};

/** What filters and conditions would have let through of what really happened. Changes nothing. */
export type FilterTest = (enterpriseId: number, trial: Trial) => Promise<TrialResult>;

const shown = 100;
const batchSize = 50;

type Judged = { matched: PastEvent[]; unjudged: number };

/** Bodies come in small batches: a thousand of the largest ones would not fit into memory. */
const judgeContents = async (
  db: Db,
  events: readonly PastEvent[],
  conditions: string,
): Promise<Judged> => {
  const holds = compileConditions(conditions);
  const judged: Judged = { matched: [], unjudged: 0 };
  for (let from = 0; from < events.length; from += batchSize) {
    const batch = events.slice(from, from + batchSize);
    const bodies = await readBodies(db, batch);
    for (const event of batch) {
      const content = openContent(bodies.get(event.id) ?? null);
      judged.unjudged += content.isKept ? 0 : 1;
      if (content.isKept && holds(content.payload())) {
        judged.matched.push(event);
      }
    }
  }
  return judged;
};

const passedBy = (filters: readonly string[], event: PastEvent): string[] => {
  const failed = new Set(explainFilters(filters, event).map(({ filter }) => filter));
  return filters.filter((filter) => !failed.has(filter));
};

export const createFilterTest =
  ({ db }: { db: Db }): FilterTest =>
  async (enterpriseId, { filters, conditions, limit }) => {
    checkFilters(filters);
    const query =
      conditions === undefined || conditions === null ? null : checkConditions(conditions);
    const events = await listNewestEvents(db, enterpriseId, limit);
    const passes = compileFilters(filters);
    const passed = events.filter((event) => passes(event));
    const { matched, unjudged } =
      query === null ? { matched: passed, unjudged: 0 } : await judgeContents(db, passed, query);
    const used = new Set(passed.flatMap((event) => passedBy(filters, event)));
    return {
      examined: events.length,
      oldest: events.at(-1)?.occurredAt ?? null,
      passedFilters: passed.length,
      matched: matched.length,
      unjudged,
      unusedFilters: filters.filter((filter) => !used.has(filter)),
      events: matched
        .slice(0, shown)
        .map((event) => ({ event, filters: passedBy(filters, event) })),
    };
  };
