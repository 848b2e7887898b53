/**
 * In: an event whose content must be removed. Out: all its deliveries cancelled, the stored
 * responses removed.
 * Guarantee: after the commit the content is neither stored nor sent again, except by fresh jobs,
 * which carry it for half a second. A request in flight may still arrive, but its result is refused.
 * On crash: nothing happened.
 */
import { liveStates, type DeliveryState } from "../../contracts/deliveries.ts";
import { mapEachInOrder } from "../../platform/concurrency/queues.ts";
import { namedRowsOf, rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { lockHealth } from "./health.ts";
import { predecessorWithoutSql } from "./predecessors.ts";
import type { DefaultRetention, PartitionRange } from "./delete-old.ts";
import { insertInterruptedSql } from "./requeue.ts";
import { isUnreservedSql } from "./reservation.ts";
import { liveStatesSql, moveSql } from "./state-sql.ts";

export type RedactionResult = {
  /** Cancelled deliveries. */
  cancelled: number;
  /** Of these, how many were being sent: the receiver may have got them. */
  underWay: number;
};

/**
 * Removes the stored responses to an event, because they may echo its content. Call it after the
 * deliveries have ended, so that no other response is stored. Returns the number of attempts. The
 * minute allows for the clock of the worker, which sets the times of attempts.
 */
export async function redactResponses(
  trx: Trx,
  { eventRowId, occurredAt }: { eventRowId: number; occurredAt: Date },
): Promise<number> {
  const deliveries = (await listDeliveries(trx, eventRowId)).map(({ id }) => id);
  const attempts = await rowsOf(
    trx,
    `UPDATE attempts SET response_headers = NULL, response_body = NULL
     WHERE delivery_id = ANY(?::bigint[]) AND started_at >= ?::timestamptz - interval '1 minute'
       AND (response_headers IS NOT NULL OR response_body IS NOT NULL)
     RETURNING id`,
    [deliveries, occurredAt],
  );
  return attempts.length;
}

const maxEventsPerPass = 100;

/**
 * Cancels deliveries that the relay created from an event before its content was removed or its
 * partition was dropped. Every claim refuses them, so they would be queued again and again. Reads
 * only deliveries in flight, which the concurrency windows bound. An event that fails delays no
 * other, and is thrown at the end. Returns how many it cancelled.
 */
export async function cancelRedacted(db: Db, now: Date): Promise<number> {
  const events = await rowsOf<{ id: number }>(
    db,
    `SELECT DISTINCT d.event_row_id AS id
     FROM deliveries d LEFT JOIN LATERAL (
       SELECT id, expunged_at FROM events
       WHERE id = d.event_row_id AND occurred_at = d.event_at LIMIT 1) AS e ON true
     WHERE d.state = 'queued' AND (e.id IS NULL OR e.expunged_at IS NOT NULL)
     ORDER BY d.event_row_id LIMIT ?`,
    [maxEventsPerPass],
  );
  const ended = await mapEachInOrder(events, ({ id }) =>
    inTransaction(db, async (trx) => {
      await trx.raw("SET LOCAL lock_timeout = '500ms'");
      return cancelDeliveriesOf(trx, id, now);
    }),
  );
  return ended.reduce((sum, { cancelled }) => sum + cancelled, 0);
}

/**
 * Raises the generation: a worker that is sending loses its claim, and cannot store the response.
 * The attempt is recorded as interrupted, because its result is unknown.
 */
const cancelSql = `
  WITH live AS MATERIALIZED (
    SELECT id, enterprise_id, subscription_id, sequence, attempts,
      state = 'sending' OR (state = 'queued' AND NOT ${isUnreservedSql(":now")}) AS is_under_way
    FROM deliveries
    WHERE id = ANY(CAST(:ids AS bigint[])) AND state = ANY(CAST(:liveStates AS text[]))
    ORDER BY id FOR UPDATE
  ), moved AS (
    UPDATE deliveries d
    SET ${moveSql("redact")}, end_reason = 'expunged', generation = d.generation + 1,
      ended_at = :now, waits_for = NULL, queued_at = NULL, lease_until = NULL,
      last_result = CASE WHEN live.is_under_way THEN 'interrupted' ELSE d.last_result END
    FROM live WHERE d.id = live.id
  ), interrupted AS (
    ${insertInterruptedSql(":now", "The content was removed during the request")}
    FROM live WHERE is_under_way
  ), released AS (
    UPDATE deliveries next
    SET waits_for = ${predecessorWithoutSql({ isOrdered: "s.is_ordered", ended: "SELECT id FROM live" })}
    FROM live JOIN subscriptions s ON s.id = live.subscription_id
    WHERE next.subscription_id = live.subscription_id AND next.waits_for = live.sequence
      AND next.id NOT IN (SELECT id FROM live)
  )
  SELECT count(*) AS cancelled, count(*) FILTER (WHERE is_under_way) AS under_way FROM live`;

/**
 * Cancels every live delivery of an event and releases the successors. Also removes the event from
 * the outbox: if a relay has locked it, waits for the relay and cancels its deliveries too. A relay
 * that has only read it inserts its deliveries as cancelled.
 */
export async function cancelDeliveriesOf(
  trx: Trx,
  eventRowId: number,
  now: Date,
): Promise<RedactionResult> {
  await rowsOf(trx, "DELETE FROM outbox WHERE event_row_id = ?", [eventRowId]);
  await rowsOf(trx, "DELETE FROM outbox_dead WHERE event_row_id = ?", [eventRowId]);
  const live = (await listDeliveries(trx, eventRowId)).filter((one) =>
    liveStates.includes(one.state),
  );
  await lockHealth(trx, [...new Set(live.map((one) => one.subscription_id))]);
  const deliveries = (await listDeliveries(trx, eventRowId)).map(({ id }) => id);
  const [ended] = await namedRowsOf<{ cancelled: number; under_way: number }>(trx, cancelSql, {
    ids: deliveries,
    liveStates,
    now,
  });
  return { cancelled: ended?.cancelled ?? 0, underWay: ended?.under_way ?? 0 };
}

type RedactedDeliveryRow = { id: number; subscription_id: number; state: DeliveryState };

/** Two branches, one for each partial index. */
function listDeliveries(trx: Trx, eventRowId: number): Promise<RedactedDeliveryRow[]> {
  return rowsOf(
    trx,
    `SELECT id, subscription_id, state FROM deliveries WHERE event_row_id = ? AND replay_id IS NULL
     UNION ALL
     SELECT id, subscription_id, state FROM deliveries WHERE event_row_id = ? AND replay_id IS NOT NULL`,
    [eventRowId, eventRowId],
  );
}

/**
 * Removes the bodies of events beyond the retention of their enterprise, except events in the
 * outbox or with a live delivery. Locks the rows first and checks the committed state then, so no
 * live delivery is added in between. Returns how many are kept for now.
 */
export function redactExpiredEvents(
  db: Db,
  { name, after, last }: PartitionRange,
  { now, retentionDays }: DefaultRetention,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    await trx.raw("SET LOCAL lock_timeout = '500ms'");
    const found = await namedRowsOf<{ id: number }>(
      trx,
      `SELECT e.id FROM ${name} e LEFT JOIN enterprises n ON n.id = e.enterprise_id
       WHERE e.id > :after AND e.id <= :last AND e.expunged_at IS NULL
         AND e.occurred_at < CAST(:now AS timestamptz)
           - interval '24 hours' * coalesce(n.payload_days, :retentionDays)
       ORDER BY e.id FOR UPDATE OF e`,
      { after, last, now, retentionDays },
    );
    const blanked = await rowsOf(
      trx,
      `UPDATE ${name} e SET body = '', expunged_at = ?
       WHERE e.id = ANY(?::bigint[])
         AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.event_row_id = e.id)
         AND NOT EXISTS (SELECT 1 FROM outbox_dead o WHERE o.event_row_id = e.id)
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_row_id = e.id
           AND d.replay_id IS NULL AND d.state IN ${liveStatesSql})
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_row_id = e.id
           AND d.replay_id IS NOT NULL AND d.state IN ${liveStatesSql})
       RETURNING e.id`,
      [now, found.map(({ id }) => id)],
    );
    return found.length - blanked.length;
  });
}
