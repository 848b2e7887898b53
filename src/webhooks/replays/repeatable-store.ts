/** Deliveries that somebody wants again, each named by its id. */
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";

/** A delivery of the subscription that somebody wants again, with what is left of its event. */
export type Repeatable = {
  id: number;
  state: string;
  eventId: number;
  eventAt: Date;
  object: string;
  key: string;
  isEventKept: boolean;
  isExpunged: boolean;
  /** A delivery of the same event to the same subscription that is still being tried. */
  liveDeliveryId: number | null;
};

const liveSql = "('pending', 'queued', 'sending', 'retry', 'paused')";

export async function findRepeatables(
  db: Queryable,
  subscriptionId: number,
  deliveryIds: readonly number[],
): Promise<Repeatable[]> {
  return rowsOf<Repeatable>(
    db,
    `SELECT d.id, d.state, d.event_id AS "eventId", d.event_at AS "eventAt", d.object, d.key,
       e.id IS NOT NULL AS "isEventKept", e.expunged_at IS NOT NULL AS "isExpunged",
       least(
         (SELECT min(id) FROM deliveries WHERE event_id = d.event_id
            AND subscription_id = d.subscription_id AND replay_id IS NULL AND state IN ${liveSql}),
         (SELECT min(id) FROM deliveries WHERE event_id = d.event_id
            AND subscription_id = d.subscription_id AND replay_id IS NOT NULL
            AND state IN ${liveSql})) AS "liveDeliveryId"
     FROM deliveries d
     LEFT JOIN events e ON e.id = d.event_id AND e.occurred_at = d.event_at
     WHERE d.subscription_id = ? AND d.id = ANY(?::bigint[])
     ORDER BY d.event_id, d.id`,
    [subscriptionId, [...deliveryIds]],
  );
}

/** Of those deliveries the ones of the enterprise, by their subscription. */
export async function groupBySubscription(
  db: Queryable,
  enterpriseId: number,
  deliveryIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await rowsOf<{ subscription_id: number; ids: number[] }>(
    db,
    `SELECT subscription_id, json_agg(id ORDER BY id) AS ids FROM deliveries
     WHERE enterprise_id = ? AND id = ANY(?::bigint[])
     GROUP BY subscription_id ORDER BY subscription_id`,
    [enterpriseId, [...deliveryIds]],
  );
  return new Map(rows.map((row) => [row.subscription_id, row.ids]));
}
