import type { DeliveryState } from "../../contracts/deliveries.ts";
import type { ObjectKind } from "../../contracts/events.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { endedStatesSql } from "./state-sql.ts";

/** A delivery that the relay is about to write. */
export type PlannedDelivery = {
  event: Readonly<{ eventRowId: number; enterpriseId: number; object: ObjectKind; key: string }>;
  subscriptionId: number;
  sequence: number;
  state: DeliveryState;
  /** Sequence of the delivery of the same object that goes first, null when none is in the way. */
  waitsFor: number | null;
};

/** Writes the deliveries, raises the sequences and empties the outbox: one statement. */
const insertSql = `
  WITH planned AS (
    INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_id, event_at, object,
      key, state, due_at, waits_for, ended_at, end_reason)
    SELECT p.enterprise_id, p.subscription_id, p.sequence, p.event_id, o.occurred_at, p.object,
      p.key, p.state, CAST(:now AS timestamptz), p.waits_for,
      CASE WHEN p.state IN ${endedStatesSql} THEN CAST(:now AS timestamptz) END,
      CASE WHEN p.state = 'cancelled' THEN 'expunged' END
    FROM json_to_recordset(CAST(:planned AS json)) AS p(enterprise_id bigint,
      subscription_id bigint, sequence bigint, event_id bigint, object text, key text, state text,
      waits_for bigint)
    JOIN outbox o ON o.event_id = p.event_id
    ORDER BY p.subscription_id, p.sequence
  ), counted AS (
    UPDATE subscription_health h SET last_sequence = l.last_sequence
    FROM json_to_recordset(CAST(:sequences AS json))
      AS l(subscription_id bigint, last_sequence bigint)
    WHERE h.subscription_id = l.subscription_id
  )
  DELETE FROM outbox WHERE event_id = ANY(CAST(:events AS bigint[]))`;

/**
 * Writes the deliveries of these events and takes the events out of the outbox, also those that
 * have no delivery. The caller holds the health locks of the subscriptions.
 */
export async function insertDeliveries(
  trx: Trx,
  eventRowIds: readonly number[],
  planned: readonly PlannedDelivery[],
  now: Date,
): Promise<void> {
  const sequences = new Map(planned.map((one) => [one.subscriptionId, one.sequence]));
  await trx.raw(insertSql, {
    planned: JSON.stringify(planned.map(plannedRow)),
    sequences: JSON.stringify(
      [...sequences].map(([subscription_id, last_sequence]) => ({
        subscription_id,
        last_sequence,
      })),
    ),
    events: [...eventRowIds],
    now,
  });
}

function plannedRow({ event, ...delivery }: PlannedDelivery) {
  return {
    enterprise_id: event.enterpriseId,
    subscription_id: delivery.subscriptionId,
    sequence: delivery.sequence,
    event_id: event.eventRowId,
    object: event.object,
    key: event.key,
    state: delivery.state,
    waits_for: delivery.waitsFor,
  };
}
