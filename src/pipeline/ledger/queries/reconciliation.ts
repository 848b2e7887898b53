/** Queries of the reconciliation. Bound to the enterprise. */
import type { DeliveryState } from "../../../contracts/deliveries.ts";
import { namedRowsOf, rowsOf, type Queryable } from "../../../platform/db/pool.ts";
import { pastEventColumns, toPastEvent, type PastEvent, type PastEventRow } from "./events.ts";

/** The events of a period, by id from `after` on. */
export type EventRange = { since: Date; until: Date; afterId: number; limit: number };

/** The state of events without deliveries, and the deliveries of the others. */
export type EventCoverage = {
  /** `event subscription` pairs created by the relay; replays do not count. */
  deliveries: ReadonlySet<string>;
  waiting: ReadonlySet<number>;
  deadLettered: ReadonlySet<number>;
};

/** A delivery that a receiver can compare with its own table. */
export type ManifestRow = {
  sequence: number;
  /** Null, like the fields after it, if the event is deleted. */
  eventId: string | null;
  state: DeliveryState;
  object: string;
  event: string | null;
  objectId: string | null;
  at: Date;
  isReplay: boolean;
};

/**
 * Assigned sequences without a row. Sequences are contiguous, so a gap where the delivery of an
 * event would be proves that there was one.
 */
export type EventPair = { eventRowId: number; subscriptionId: number };

export async function listEvents(
  db: Queryable,
  enterpriseId: number,
  { since, until, afterId, limit }: EventRange,
): Promise<PastEvent[]> {
  const rows = await rowsOf<PastEventRow>(
    db,
    `SELECT ${pastEventColumns} FROM events e
     WHERE e.enterprise_id = ? AND e.id > ? AND e.occurred_at >= ? AND e.occurred_at < ?
     ORDER BY e.id LIMIT ?`,
    [enterpriseId, afterId, since, until, limit],
  );
  return rows.map(toPastEvent);
}

export async function readEventCoverage(
  db: Queryable,
  enterpriseId: number,
  eventRowIds: readonly number[],
): Promise<EventCoverage> {
  const rows = await rowsOf<{ event_row_id: number; subscription_id: number }>(
    db,
    `SELECT event_row_id, subscription_id FROM deliveries
     WHERE event_row_id = ANY(?::bigint[]) AND replay_id IS NULL AND enterprise_id = ?`,
    [eventRowIds, enterpriseId],
  );
  return {
    deliveries: new Set(rows.map((row) => pairKey(row.event_row_id, row.subscription_id))),
    waiting: await idsIn(db, "outbox", eventRowIds),
    deadLettered: await idsIn(db, "outbox_dead", eventRowIds),
  };
}

export function pairKey(eventRowId: number, subscriptionId: number): string {
  return `${eventRowId} ${subscriptionId}`;
}

async function idsIn(
  db: Queryable,
  table: "outbox" | "outbox_dead",
  eventRowIds: readonly number[],
): Promise<Set<number>> {
  const sql = `SELECT event_row_id FROM ${table} WHERE event_row_id = ANY(?::bigint[])`;
  const rows = await rowsOf<{ event_row_id: number }>(db, sql, [eventRowIds]);
  return new Set(rows.map((row) => row.event_row_id));
}

type ManifestEntryRow = {
  sequence: number;
  event_id: string | null;
  state: DeliveryState;
  object: string;
  event: string | null;
  object_id: string | null;
  event_at: Date;
  is_replay: boolean;
};

/** The deliveries of a subscription in a range of sequences, in order. */
export async function listManifest(
  db: Queryable,
  subscriptionId: number,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<ManifestRow[]> {
  const rows = await namedRowsOf<ManifestEntryRow>(
    db,
    `SELECT d.sequence, e.event_id, d.state, d.object, e.event, e.object_id, d.event_at,
       d.replay_id IS NOT NULL AS is_replay
     FROM (SELECT sequence, state, object, event_row_id, event_at, replay_id FROM deliveries
           WHERE subscription_id = :subscriptionId AND sequence BETWEEN :from AND :to
           ORDER BY sequence LIMIT :limit) AS d
     LEFT JOIN LATERAL (
       SELECT event_id, event, object_id FROM events
       WHERE id = d.event_row_id AND occurred_at = d.event_at LIMIT 1) AS e ON true
     ORDER BY d.sequence`,
    { subscriptionId, from, to, limit },
  );
  return rows.map((row) => ({
    sequence: row.sequence,
    eventId: row.event_id,
    state: row.state,
    object: row.object,
    event: row.event,
    objectId: row.object_id,
    at: row.event_at,
    isReplay: row.is_replay,
  }));
}

/** The last assigned sequence, and the lowest kept one. */
export async function readSequences(
  db: Queryable,
  subscriptionId: number,
): Promise<{ last: number; first: number | null }> {
  const [row] = await rowsOf<{ last_sequence: number; first: number | null }>(
    db,
    `SELECT h.last_sequence, (SELECT min(d.sequence) FROM deliveries d
       WHERE d.subscription_id = h.subscription_id) AS first
     FROM subscription_health h WHERE h.subscription_id = ?`,
    [subscriptionId],
  );
  return { last: row?.last_sequence ?? 0, first: row?.first ?? null };
}

/** The neighbours of a delivery are searched within this distance of event ids. */
const neighbourRange = 2_000;

/** Maximum distance of two neighbours in sequences: beyond it the result is unknown. */
const maxGapWidth = 1_000;

/**
 * Of pairs without a delivery, those with a missing sequence at their place. Without a neighbour before
 * it, retention may have deleted that sequence, unless it kept an older one, or the webhook is younger
 * than any log.
 */
export async function findSequenceGaps(
  db: Queryable,
  pairs: readonly EventPair[],
): Promise<EventPair[]> {
  const rows = await rowsOf<{ event_row_id: number; subscription_id: number }>(
    db,
    `WITH pair AS (
       SELECT event_row_id, subscription_id
       FROM unnest(?::bigint[], ?::bigint[]) AS pair(event_row_id, subscription_id)
     ), place AS (
       SELECT pair.event_row_id, pair.subscription_id, h.last_sequence,
         coalesce(after.sequence, h.last_sequence + 1) AS upto, before.sequence AS below
       FROM pair JOIN subscription_health h ON h.subscription_id = pair.subscription_id
       LEFT JOIN LATERAL (
         SELECT d.sequence FROM deliveries d
         WHERE d.event_row_id BETWEEN pair.event_row_id - ${neighbourRange} AND pair.event_row_id - 1
           AND d.subscription_id = pair.subscription_id AND d.replay_id IS NULL
         ORDER BY d.event_row_id DESC LIMIT 1) AS before ON true
       LEFT JOIN LATERAL (
         SELECT d.sequence FROM deliveries d
         WHERE d.event_row_id BETWEEN pair.event_row_id + 1 AND pair.event_row_id + ${neighbourRange}
           AND d.subscription_id = pair.subscription_id AND d.replay_id IS NULL
         ORDER BY d.event_row_id LIMIT 1) AS after ON true
     ), span AS (
       -- Without a neighbour before it, only the sequence just before the next one can be its own.
       SELECT event_row_id, subscription_id, upto, greatest(0, coalesce(below, upto - 2)) AS below,
         below IS NOT NULL AS has_neighbour
       FROM place
     )
     SELECT event_row_id, subscription_id FROM span
     WHERE upto - below BETWEEN 2 AND ${maxGapWidth} AND upto - below - 1 > (
       SELECT count(*) FROM deliveries d
       WHERE d.subscription_id = span.subscription_id
         AND d.sequence > span.below AND d.sequence < span.upto)
       AND (has_neighbour
         OR EXISTS (SELECT FROM deliveries d
           WHERE d.subscription_id = span.subscription_id AND d.sequence <= span.below)
         OR EXISTS (SELECT FROM subscriptions s
           WHERE s.id = span.subscription_id AND s.created_at > now() - interval '1 day'))`,
    [pairs.map(({ eventRowId }) => eventRowId), pairs.map(({ subscriptionId }) => subscriptionId)],
  );
  return rows.map((row) => ({ eventRowId: row.event_row_id, subscriptionId: row.subscription_id }));
}
