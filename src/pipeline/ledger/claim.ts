import { dayMs } from "../../platform/clock.ts";
import type { ObjectKind } from "../../contracts/events.ts";
import type { DeliverJob } from "../../contracts/jobs.ts";
import { rowsOf, type Db } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { allowsSql, moveSql, unindexedStateSql } from "./state-sql.ts";

/** A delivery that only this process may send until the lease ends. */
export type ClaimedDelivery = {
  deliveryId: number;
  generation: number;
  subscriptionId: number;
  /** The current revision of the subscription: selects the URL, headers and secrets. */
  revision: number;
  sequence: number;
  /** Number of the attempt that starts now, from 1. */
  attempt: number;
  object: ObjectKind;
  eventId: string;
  body: string;
  occurredAt: Date;
  /** Created by a replay, so the receiver may already have the event. */
  isReplay: boolean;
};

/** A claimed delivery as a statement returns it. */
export type ClaimRow = {
  id: number;
  generation: number;
  subscription_id: number;
  revision: number;
  sequence: number;
  attempts: number;
  object: ObjectKind;
  event_id: string;
  body: string;
  occurred_at: Date;
  is_replay: boolean;
};

/**
 * A range of days. It limits the plan to a few partitions; without it the planner considers every
 * kept day, up to 400, which takes many times longer than the claim itself.
 */
type EventDays = { first: Date; last: Date };

export type Lease = { now: Date; leaseMs: number };

export type ClaimJob = DeliverJob & {
  /** Its request was sent without a claim: a refusal could not stop it. */
  isUnderWay?: boolean;
};

/**
 * Claims deliveries: one statement for many jobs, and two more if some are refused or concern older
 * events. A job is refused (`undefined` in the result) if its generation is outdated, another
 * worker won, or the delivery ended; and, unless it is under way, if the subscription is off or
 * throttled. So both take effect immediately.
 */
export async function claimDeliveries(
  db: Db,
  jobs: readonly ClaimJob[],
  lease: Lease,
): Promise<(ClaimedDelivery | undefined)[]> {
  const rows = await claimWithin(db, recentDays(lease.now), jobs, lease);
  const claimed = new Map(rows.map((row) => [row.id, toClaimed(row)]));
  const left = jobs.filter(({ deliveryId }) => !claimed.has(deliveryId));
  // Claimed deliveries must reach their workers, so a failure here counts as a refusal: the sweeper
  // finds those that stay `queued`.
  const others = left.length === 0 ? [] : await claimOlder(db, left, lease).catch(() => []);
  others.forEach((row) => claimed.set(row.id, toClaimed(row)));
  return jobs.map(({ deliveryId, generation }) => {
    const found = claimed.get(deliveryId);
    if (found?.generation !== generation) {
      return undefined;
    }
    // A job that occurs twice in a batch is claimed once.
    claimed.delete(deliveryId);
    return found;
  });
}

/** Nearly all deliveries concern events of these days. */
export function recentDays(now: Date): EventDays {
  return {
    first: new Date(now.getTime() - 2 * dayMs),
    last: new Date(now.getTime() + dayMs),
  };
}

export function toClaimed(row: ClaimRow): ClaimedDelivery {
  return {
    deliveryId: row.id,
    generation: row.generation,
    subscriptionId: row.subscription_id,
    revision: row.revision,
    sequence: row.sequence,
    attempt: row.attempts + 1,
    object: row.object,
    eventId: row.event_id,
    body: row.body,
    occurredAt: row.occurred_at,
    isReplay: row.is_replay,
  };
}

async function claimOlder(db: Db, jobs: readonly ClaimJob[], lease: Lease): Promise<ClaimRow[]> {
  const span = await readSpan(db, jobs);
  return span === undefined ? [] : claimWithin(db, span, jobs, lease);
}

/** The days of these deliveries; undefined if none can be claimed. */
async function readSpan(db: Db, jobs: readonly DeliverJob[]): Promise<EventDays | undefined> {
  const [span] = await rowsOf<{ first: Date | null; last: Date | null }>(
    db,
    `SELECT min(d.event_at) AS first, max(d.event_at) AS last
     FROM deliveries d JOIN unnest(?::bigint[], ?::integer[]) AS job(id, generation)
       ON d.id = job.id AND d.generation = job.generation
     WHERE ${allowsSql("claim")}`,
    [jobs.map((job) => job.deliveryId), jobs.map((job) => job.generation)],
  );
  const { first = null, last = null } = span ?? {};
  return first === null || last === null ? undefined : { first, last };
}

const claimSql = `
  UPDATE deliveries d
  SET ${moveSql("claim")}, lease_until = ?
  FROM unnest(?::bigint[], ?::integer[], ?::boolean[]) AS job(id, generation, is_under_way),
    subscriptions s, subscription_health h, events e
  WHERE d.id = ANY(?::bigint[]) AND d.id = job.id AND d.generation = job.generation
    AND ${allowsSql("claim", unindexedStateSql)}
    AND s.id = d.subscription_id AND h.subscription_id = d.subscription_id
    AND (job.is_under_way
      OR (s.is_active AND (h.throttled_until IS NULL OR h.throttled_until <= ?)))
    AND e.id = d.event_row_id AND e.occurred_at = d.event_at AND e.expunged_at IS NULL
    AND e.occurred_at BETWEEN ? AND ?
  RETURNING d.id, d.generation, d.subscription_id, s.revision, d.sequence, d.attempts, d.object,
    e.event_id, e.body, e.occurred_at, d.replay_id IS NOT NULL AS is_replay`;

async function claimWithin(
  db: Db,
  { first, last }: EventDays,
  jobs: readonly ClaimJob[],
  { now, leaseMs }: Lease,
): Promise<ClaimRow[]> {
  return preparedRowsOf<ClaimRow>(db, claimSql, [
    new Date(now.getTime() + leaseMs),
    jobs.map((job) => job.deliveryId),
    jobs.map((job) => job.generation),
    jobs.map((job) => job.isUnderWay === true),
    jobs.map((job) => job.deliveryId),
    now,
    first,
    last,
  ]);
}
