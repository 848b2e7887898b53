import { firstTries, laterTries } from "../../pipeline/ledger/due-rows.ts";
import { namedRowsOf, type Queryable } from "../../platform/db/pool.ts";

/** Counted up to here: an exact number of millions would cost more than it tells. */
const mostCounted = 10_000;

/** How many there are, at most `mostCounted`; whether there are more is said beside it. */
export type Count = { count: number; more: boolean };

/** Where the live deliveries of a subscription stand. */
export type Standing = {
  inFlight: Count;
  due: Count;
  planned: Count;
  waiting: Count;
  paused: Count;
  oldestDue: Date | null;
};

const byDue = "d.subscription_id, d.due_at, d.sequence";

const bySequence = "d.subscription_id, d.sequence";

const standingSql = `
  SELECT
    ${walk("d.state IN ('queued', 'sending')", "d.subscription_id")} AS in_flight,
    ${walk(`${firstTries} AND d.due_at <= :now`, byDue)} AS first_due,
    ${walk(`${laterTries} AND d.due_at <= :now`, byDue)} AS again_due,
    ${walk(`${firstTries} AND d.due_at > :now`, byDue)} AS first_planned,
    ${walk(`${laterTries} AND d.due_at > :now`, byDue)} AS again_planned,
    ${walk("d.state IN ('pending', 'retry') AND d.waits_for IS NOT NULL", bySequence)} AS waiting,
    ${walk("d.state = 'paused'", bySequence)} AS paused,
    least(
      (SELECT d.due_at FROM deliveries d WHERE d.subscription_id = :id AND ${firstTries}
       ORDER BY ${byDue} LIMIT 1),
      (SELECT d.due_at FROM deliveries d WHERE d.subscription_id = :id AND ${laterTries}
       ORDER BY ${byDue} LIMIT 1)) AS oldest_due`;

type StandingRow = {
  in_flight: number;
  first_due: number;
  again_due: number;
  first_planned: number;
  again_planned: number;
  waiting: number;
  paused: number;
  oldest_due: Date | null;
};

/** Reads a bounded number of rows, however long the backlog is. */
export async function readStanding(db: Queryable, id: number, now: Date): Promise<Standing> {
  const [row] = await namedRowsOf<StandingRow>(db, standingSql, { id, now, most: mostCounted });
  if (row === undefined) {
    throw new Error("The counts of a subscription came without a row");
  }
  return {
    inFlight: toCount(row.in_flight),
    due: toCount(row.first_due + row.again_due),
    planned: toCount(row.first_planned + row.again_planned),
    waiting: toCount(row.waiting),
    paused: toCount(row.paused),
    // What is due later only is no backlog.
    oldestDue: row.oldest_due !== null && row.oldest_due <= now ? row.oldest_due : null,
  };
}

function toCount(found: number): Count {
  return {
    count: Math.min(found, mostCounted),
    more: found > mostCounted,
  };
}

// Each count is a walk along one index that holds nothing else, and ends at the bound: the order is
// that of the index, so that the planner never reads the table instead.
function walk(where: string, order: string): string {
  return `
  (SELECT count(*) FROM (
     SELECT 1 FROM deliveries d WHERE d.subscription_id = :id AND ${where}
     ORDER BY ${order} LIMIT :most + 1) AS walked)`;
}
