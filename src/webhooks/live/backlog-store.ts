/** What waits, counted up to a bound: a backlog of a million costs what one of ten thousand does. */
import { firstTries, laterTries } from "../../pipeline/ledger/due-rows.ts";
import { namedRowsOf, type Queryable } from "../../platform/db/pool.ts";

/** Of each subscription and kind no more are counted. */
const mostCounted = 10_000;

export type Waiting = {
  count: number;
  /** There are more than were counted. */
  more: boolean;
};

/** What a subscription has in hand, or before it. */
export type Backlog = {
  inFlight: number;
  /** Not ended and not in flight; paused ones are counted apart. What no worker takes waits. */
  waiting: Waiting;
  /** Of these, those whose time has come. */
  pastDue: Waiting;
  paused: Waiting;
  /** How many wait about, where more wait than are counted: by their sequences. */
  about: number | null;
  oldestDue: Date | null;
};

type BacklogRow = {
  id: number;
  in_flight: number;
  stuck: number;
  stuck_oldest: Date | null;
  first_all: number;
  first_due: number;
  first_oldest: Date | null;
  first_sequence: number | null;
  last_sequence: number;
  again_all: number;
  again_due: number;
  again_oldest: Date | null;
  held: number;
  paused: number;
};

const due = `count(*) AS all_of_them, count(*) FILTER (WHERE due_at <= :now) AS due,
  min(due_at) AS oldest, min(sequence) AS sequence`;

const byDue = ", d.due_at, d.sequence";

/**
 * What was handed out and is taken by no worker for so long waits for us: a worker claims a hint
 * within milliseconds.
 */
const stuckSql =
  "state = 'queued' AND queued_at < CAST(:now AS timestamptz) - interval '5 seconds'";

/** Never more than a window of the subscription. */
const flyingSql = `
  CROSS JOIN LATERAL (
    SELECT count(*) AS count, count(*) FILTER (WHERE ${stuckSql}) AS stuck,
      min(queued_at) FILTER (WHERE ${stuckSql}) AS oldest
    FROM (
      SELECT d.state, d.queued_at FROM deliveries d
      WHERE d.subscription_id = s.id AND d.state IN ('queued', 'sending')
      ORDER BY d.subscription_id LIMIT :most + 1) AS walked)`;

const backlogSql = `
  SELECT s.id, h.last_sequence, flying.count - flying.stuck AS in_flight, flying.stuck,
    flying.oldest AS stuck_oldest,
    first.all_of_them AS first_all, first.due AS first_due, first.oldest AS first_oldest,
    first.sequence AS first_sequence, again.all_of_them AS again_all, again.due AS again_due,
    again.oldest AS again_oldest, held.count AS held, paused.count AS paused
  FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
  ${flyingSql} AS flying
  ${walk(due, firstTries, byDue)} AS first
  ${walk(due, laterTries, byDue)} AS again
  ${walk(
    "count(*)",
    "d.state IN ('pending', 'retry') AND d.waits_for IS NOT NULL",
    ", d.sequence",
  )} AS held
  ${walk("count(*)", "d.state = 'paused'", ", d.sequence")} AS paused
  WHERE s.enterprise_id = :enterpriseId AND s.deleted_at IS NULL`;

/** The backlogs of an enterprise's subscriptions, by their ids. */
export async function readBacklogs(
  db: Queryable,
  enterpriseId: number,
  now: Date,
): Promise<ReadonlyMap<number, Backlog>> {
  const bindings = { enterpriseId, now, most: mostCounted };
  const rows = await namedRowsOf<BacklogRow>(db, backlogSql, bindings);
  return new Map(rows.map((row) => [row.id, toBacklog(row, now)]));
}

function toBacklog(row: BacklogRow, now: Date): Backlog {
  const oldest = older(row.stuck_oldest, older(row.first_oldest, row.again_oldest));
  const waiting = toWaiting([row.first_all, row.again_all, row.held, row.stuck]);
  const isLong = row.first_all > mostCounted && row.first_sequence !== null;
  return {
    inFlight: row.in_flight,
    waiting,
    pastDue: toWaiting([row.first_due, row.again_due, row.stuck]),
    paused: toWaiting([row.paused]),
    about: isLong
      ? Math.max(waiting.count, row.last_sequence - (row.first_sequence ?? 0) + 1)
      : null,
    // What is due later only is no backlog.
    oldestDue: oldest !== null && oldest <= now ? oldest : null,
  };
}

function older(a: Date | null, b: Date | null): Date | null {
  return a === null || (b !== null && b < a) ? b : a;
}

function toWaiting(counts: readonly number[]): Waiting {
  return {
    count: counts.reduce((sum, count) => sum + Math.min(count, mostCounted), 0),
    more: counts.some((count) => count > mostCounted),
  };
}

/** So many of the oldest events are looked at: behind them, everybody's wait. */
const mostEvents = 1_000;

/**
 * When the oldest event of the enterprise happened that has not become deliveries yet. An idle
 * relay leaves none: what is there for seconds waits for a relay that is down or behind.
 */
export async function readOldestEvent(db: Queryable, enterpriseId: number): Promise<Date | null> {
  const [row] = await namedRowsOf<{ oldest: Date | null }>(
    db,
    `SELECT min(e.occurred_at) AS oldest
     FROM (SELECT event_id, occurred_at FROM outbox ORDER BY event_id LIMIT :mostEvents) AS o
     JOIN events e ON e.id = o.event_id AND e.occurred_at = o.occurred_at
     WHERE e.enterprise_id = :enterpriseId`,
    { enterpriseId, mostEvents },
  );
  return row?.oldest ?? null;
}

// Each count is a walk along one index that holds nothing else, and ends at the bound: the order is
// that of the index, so that the planner never reads the table instead.
function walk(columns: string, where: string, order: string): string {
  return `
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM (
      SELECT d.due_at, d.sequence FROM deliveries d
      WHERE d.subscription_id = s.id AND ${where}
      ORDER BY d.subscription_id${order} LIMIT :most + 1) AS walked)`;
}
