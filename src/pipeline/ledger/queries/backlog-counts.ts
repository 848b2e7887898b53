import { blockedSql, firstAttemptsSql, inFlightStatesSql, laterAttemptsSql } from "../state-sql.ts";
import { namedRowsOf, type Queryable } from "../../../platform/db/pool.ts";

/** The limit of each count, because an exact count of millions would be expensive. */
const maxCounted = 10_000;

/** A count of at most `maxCounted`; whether there are more is reported separately. */
export type BoundedCount = { count: number; more: boolean };

/** The state of the live deliveries of a subscription. */
export type BacklogCounts = {
  inFlight: BoundedCount;
  due: BoundedCount;
  planned: BoundedCount;
  waiting: BoundedCount;
  paused: BoundedCount;
  oldestDue: Date | null;
};

const dueOrder = "d.subscription_id, d.due_at, d.sequence";

const bySequence = "d.subscription_id, d.sequence";

export type WaitingCount = {
  count: number;
  /** Whether there are more than were counted. */
  more: boolean;
};

/** The backlog of a subscription. */
export type SubscriptionBacklog = {
  inFlight: number;
  /** Neither ended nor in flight. Paused deliveries are counted separately. */
  waiting: WaitingCount;
  /** The part of `waiting` that is due. */
  pastDue: WaitingCount;
  paused: WaitingCount;
  /** An estimate from the sequences, if more wait than are counted. */
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

const dueColumns = `count(*) AS all_of_them, count(*) FILTER (WHERE due_at <= :now) AS due,
  min(due_at) AS oldest, min(sequence) AS sequence`;

const byDue = ", d.due_at, d.sequence";

/**
 * Queued for this long without a claim: the deliveries wait for our workers, which normally claim a
 * job within milliseconds.
 */
const stuckSql =
  "state = 'queued' AND queued_at < CAST(:now AS timestamptz) - interval '5 seconds'";

/** Bounded by the concurrency window of the subscription. */
const inFlightSql = `
  CROSS JOIN LATERAL (
    SELECT count(*) AS count, count(*) FILTER (WHERE ${stuckSql}) AS stuck,
      min(queued_at) FILTER (WHERE ${stuckSql}) AS oldest
    FROM (
      SELECT d.state, d.queued_at FROM deliveries d
      WHERE d.subscription_id = s.id AND d.state IN ${inFlightStatesSql}
      ORDER BY d.subscription_id LIMIT :most + 1) AS walked)`;

const backlogCountsSql = `
  SELECT
    ${boundedCountSql(`d.state IN ${inFlightStatesSql}`, "d.subscription_id")} AS in_flight,
    ${boundedCountSql(`${firstAttemptsSql} AND d.due_at <= :now`, dueOrder)} AS first_due,
    ${boundedCountSql(`${laterAttemptsSql} AND d.due_at <= :now`, dueOrder)} AS again_due,
    ${boundedCountSql(`${firstAttemptsSql} AND d.due_at > :now`, dueOrder)} AS first_planned,
    ${boundedCountSql(`${laterAttemptsSql} AND d.due_at > :now`, dueOrder)} AS again_planned,
    ${boundedCountSql(blockedSql, bySequence)} AS waiting,
    ${boundedCountSql("d.state = 'paused'", bySequence)} AS paused,
    ${oldestDueSql(":id")} AS oldest_due`;

/**
 * When the oldest unblocked delivery of a subscription is or was due. One index probe per class of
 * attempts.
 */
export function oldestDueSql(subscriptionId: string): string {
  const oldest = (which: string): string => `
      (SELECT d.due_at FROM deliveries d WHERE d.subscription_id = ${subscriptionId} AND ${which}
       ORDER BY ${dueOrder} LIMIT 1)`;
  return `least(${oldest(firstAttemptsSql)}, ${oldest(laterAttemptsSql)})`;
}

type BacklogCountsRow = {
  in_flight: number;
  first_due: number;
  again_due: number;
  first_planned: number;
  again_planned: number;
  waiting: number;
  paused: number;
  oldest_due: Date | null;
};

/** Reads a bounded number of rows, whatever the size of the backlog. */
export async function readBacklogCounts(
  db: Queryable,
  id: number,
  now: Date,
): Promise<BacklogCounts> {
  const [row] = await namedRowsOf<BacklogCountsRow>(db, backlogCountsSql, {
    id,
    now,
    most: maxCounted,
  });
  if (row === undefined) {
    throw new Error("The counts of a subscription came without a row");
  }
  return {
    inFlight: toCount(row.in_flight),
    due: toCount(row.first_due + row.again_due),
    planned: toCount(row.first_planned + row.again_planned),
    waiting: toCount(row.waiting),
    paused: toCount(row.paused),
    // Deliveries due later are no backlog.
    oldestDue: row.oldest_due !== null && row.oldest_due <= now ? row.oldest_due : null,
  };
}

function toCount(found: number): BoundedCount {
  return {
    count: Math.min(found, maxCounted),
    more: found > maxCounted,
  };
}

const backlogSql = `
  SELECT s.id, h.last_sequence, in_flight.count - in_flight.stuck AS in_flight, in_flight.stuck,
    in_flight.oldest AS stuck_oldest,
    first.all_of_them AS first_all, first.due AS first_due, first.oldest AS first_oldest,
    first.sequence AS first_sequence, again.all_of_them AS again_all, again.due AS again_due,
    again.oldest AS again_oldest, held.count AS held, paused.count AS paused
  FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
  ${inFlightSql} AS in_flight
  ${boundedWalkSql(dueColumns, firstAttemptsSql, byDue)} AS first
  ${boundedWalkSql(dueColumns, laterAttemptsSql, byDue)} AS again
  ${boundedWalkSql("count(*)", blockedSql, ", d.sequence")} AS held
  ${boundedWalkSql("count(*)", "d.state = 'paused'", ", d.sequence")} AS paused
  WHERE s.enterprise_id = :enterpriseId AND s.deleted_at IS NULL`;

/** The backlogs of an enterprise's subscriptions, by id. */
export async function readBacklogs(
  db: Queryable,
  enterpriseId: number,
  now: Date,
): Promise<ReadonlyMap<number, SubscriptionBacklog>> {
  const bindings = { enterpriseId, now, most: maxCounted };
  const rows = await namedRowsOf<BacklogRow>(db, backlogSql, bindings);
  return new Map(rows.map((row) => [row.id, toBacklog(row, now)]));
}

function toBacklog(row: BacklogRow, now: Date): SubscriptionBacklog {
  const oldest = older(row.stuck_oldest, older(row.first_oldest, row.again_oldest));
  const waiting = toWaiting([row.first_all, row.again_all, row.held, row.stuck]);
  const isLong = row.first_all > maxCounted && row.first_sequence !== null;
  return {
    inFlight: row.in_flight,
    waiting,
    pastDue: toWaiting([row.first_due, row.again_due, row.stuck]),
    paused: toWaiting([row.paused]),
    about: isLong
      ? Math.max(waiting.count, row.last_sequence - (row.first_sequence ?? 0) + 1)
      : null,
    // Deliveries due later are no backlog.
    oldestDue: oldest !== null && oldest <= now ? oldest : null,
  };
}

function older(a: Date | null, b: Date | null): Date | null {
  return a === null || (b !== null && b < a) ? b : a;
}

function toWaiting(counts: readonly number[]): WaitingCount {
  return {
    count: counts.reduce((sum, count) => sum + Math.min(count, maxCounted), 0),
    more: counts.some((count) => count > maxCounted),
  };
}

/** Only this many of the oldest events are read: newer ones wait as well. */
const mostEvents = 1_000;

/**
 * When the oldest event of the enterprise occurred that has not been fanned out. A running relay
 * leaves none for longer than seconds.
 */
export async function readOldestEvent(db: Queryable, enterpriseId: number): Promise<Date | null> {
  const [row] = await namedRowsOf<{ oldest: Date | null }>(
    db,
    `SELECT min(e.occurred_at) AS oldest
     FROM (SELECT event_row_id, occurred_at FROM outbox ORDER BY event_row_id LIMIT :mostEvents) AS o
     JOIN events e ON e.id = o.event_row_id AND e.occurred_at = o.occurred_at
     WHERE e.enterprise_id = :enterpriseId`,
    { enterpriseId, mostEvents },
  );
  return row?.oldest ?? null;
}

// Each count scans one partial index up to the limit. The order is that of the index, so that the
// planner does not choose the table.
function boundedCountSql(where: string, order: string): string {
  return `
  (SELECT count(*) FROM (
     SELECT 1 FROM deliveries d WHERE d.subscription_id = :id AND ${where}
     ORDER BY ${order} LIMIT :most + 1) AS walked)`;
}

// Each count scans one partial index up to the limit. The order is that of the index, so that the
// planner does not choose the table.
function boundedWalkSql(columns: string, where: string, order: string): string {
  return `
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM (
      SELECT d.due_at, d.sequence FROM deliveries d
      WHERE d.subscription_id = s.id AND ${where}
      ORDER BY d.subscription_id${order} LIMIT :most + 1) AS walked)`;
}
