import { objectKinds, type ObjectKind } from "../../contracts/events.ts";
import type { DeliverHint } from "../../contracts/jobs.ts";
import { rowsOf, type Trx } from "../../platform/db/pool.ts";

/** A delivery that the ledger marked `queued`: its hint must now be added to the queue. */
export type HandedOut = DeliverHint & { object: ObjectKind };

export type HandOutLimits = {
  now: Date;
  /** Queues that take nothing now: full, or their store is away. */
  closed: readonly ObjectKind[];
  /** The most any subscription may have in flight. */
  maxInFlight: number;
};

type HandedOutRow = { id: number; generation: number; object: ObjectKind };

const handOutSql = `
  WITH room AS MATERIALIZED (
    SELECT h.subscription_id,
      greatest(0, least(CAST(floor(h.window_size) AS integer), coalesce(s.max_in_flight, :most), CAST(:most AS integer))
        - (SELECT count(*) FROM deliveries f
           WHERE f.subscription_id = h.subscription_id AND f.state IN ('queued', 'sending'))
      ) AS free
    FROM subscription_health h
    JOIN subscriptions s ON s.id = h.subscription_id
    WHERE h.subscription_id = ANY(CAST(:subscriptions AS bigint[])) AND s.is_active
      AND (h.throttled_until IS NULL OR h.throttled_until <= :now)
  ), chosen AS MATERIALIZED (
    SELECT due.id FROM room CROSS JOIN LATERAL (
      SELECT d.id FROM deliveries d
      WHERE d.subscription_id = room.subscription_id
        AND d.state IN ('pending', 'retry') AND d.waits_for IS NULL AND d.due_at <= :now
        AND d.object <> ALL(CAST(:closed AS text[]))
      ORDER BY d.due_at, d.sequence
      LIMIT room.free
      FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE room.free > 0
  )
  UPDATE deliveries d
  SET state = 'queued', generation = d.generation + 1, queued_at = :now
  FROM chosen WHERE d.id = chosen.id
  RETURNING d.id, d.generation, d.object`;

/**
 * Marks as `queued` what is due and fits into the windows of these subscriptions. The caller holds
 * their health locks (`lockHealth`), so the windows are exact, and adds the hints after the commit.
 * On crash between the two: the sweeper finds rows whose hint cannot exist any more.
 */
export const handOut = async (
  trx: Trx,
  subscriptionIds: readonly number[],
  { now, closed, maxInFlight }: HandOutLimits,
): Promise<HandedOut[]> => {
  if (closed.length === objectKinds.length) {
    return []; // no queue takes anything: a large backlog need not be walked to find that out
  }
  const result: { rows: HandedOutRow[] } = await trx.raw(handOutSql, {
    subscriptions: subscriptionIds,
    most: maxInFlight,
    closed: closed,
    now,
  });
  return result.rows
    .map((row) => ({ deliveryId: row.id, generation: row.generation, object: row.object }))
    .toSorted((a, b) => a.deliveryId - b.deliveryId);
};

/**
 * Takes back everything that is handed out to these subscriptions and not claimed yet: their
 * receivers asked for time. The caller holds their health locks.
 */
export const takeBackAll = async (trx: Trx, subscriptionIds: readonly number[]): Promise<void> => {
  await rowsOf(
    trx,
    `UPDATE deliveries d
     SET state = CASE WHEN d.attempts = 0 THEN 'pending' ELSE 'retry' END,
       generation = d.generation + 1
     FROM (SELECT id FROM deliveries WHERE subscription_id = ANY(?::bigint[]) AND state = 'queued'
           ORDER BY id FOR UPDATE SKIP LOCKED) AS queued
     WHERE d.id = queued.id`,
    [subscriptionIds],
  );
};

/**
 * Takes hints back that could not be added, or that were lost: the deliveries are due again, and
 * the raised generation makes the ledger refuse a hint that was added after all.
 */
export const takeBack = async (trx: Trx, hints: readonly DeliverHint[]): Promise<void> => {
  await rowsOf(
    trx,
    `UPDATE deliveries d
     SET state = CASE WHEN d.attempts = 0 THEN 'pending' ELSE 'retry' END,
       generation = d.generation + 1
     FROM unnest(?::bigint[], ?::integer[]) AS hint(id, generation)
     WHERE d.id = hint.id AND d.generation = hint.generation AND d.state = 'queued'`,
    [hints.map((hint) => hint.deliveryId), hints.map((hint) => hint.generation)],
  );
};
