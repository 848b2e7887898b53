/**
 * Sequences that were given and have no row. They are given without a gap, so a hole beside where
 * an event's delivery would stand says that there was one.
 */
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";

export type Pair = { eventId: number; subscriptionId: number };

/** Events apart in which the neighbours of a delivery are looked for. */
const reach = 2_000;

/** Sequences between two neighbours that are counted: between more of them nothing is said. */
const widest = 1_000;

/** Of these pairs, none of which has a delivery, those beside whose place a sequence is missing. */
export async function findHoles(db: Queryable, pairs: readonly Pair[]): Promise<Pair[]> {
  const rows = await rowsOf<{ event_id: number; subscription_id: number }>(
    db,
    `WITH pair AS (
       SELECT event_id, subscription_id
       FROM unnest(?::bigint[], ?::bigint[]) AS pair(event_id, subscription_id)
     ), place AS (
       SELECT pair.event_id, pair.subscription_id, h.last_sequence,
         coalesce(after.sequence, h.last_sequence + 1) AS upto, before.sequence AS below
       FROM pair JOIN subscription_health h ON h.subscription_id = pair.subscription_id
       LEFT JOIN LATERAL (
         SELECT d.sequence FROM deliveries d
         WHERE d.event_id BETWEEN pair.event_id - ${reach} AND pair.event_id - 1
           AND d.subscription_id = pair.subscription_id AND d.replay_id IS NULL
         ORDER BY d.event_id DESC LIMIT 1) AS before ON true
       LEFT JOIN LATERAL (
         SELECT d.sequence FROM deliveries d
         WHERE d.event_id BETWEEN pair.event_id + 1 AND pair.event_id + ${reach}
           AND d.subscription_id = pair.subscription_id AND d.replay_id IS NULL
         ORDER BY d.event_id LIMIT 1) AS after ON true
     ), span AS (
       -- Without a neighbour before it, only the sequence just before the next one can be its own.
       SELECT event_id, subscription_id, upto, greatest(0, coalesce(below, upto - 2)) AS below
       FROM place
     )
     SELECT event_id, subscription_id FROM span
     WHERE upto - below BETWEEN 2 AND ${widest} AND upto - below - 1 > (
       SELECT count(*) FROM deliveries d
       WHERE d.subscription_id = span.subscription_id
         AND d.sequence > span.below AND d.sequence < span.upto)`,
    [pairs.map(({ eventId }) => eventId), pairs.map(({ subscriptionId }) => subscriptionId)],
  );
  return rows.map((row) => ({ eventId: row.event_id, subscriptionId: row.subscription_id }));
}
