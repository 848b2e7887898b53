import type { DeliveryState } from "../../../contracts/deliveries.ts";
import type { Db } from "../../../platform/db/pool.ts";
import { preparedRowsOf } from "../../../platform/db/prepared.ts";

/** A delivery with its event, as a receiver pulls it. */
export type PulledEvent = {
  sequence: number;
  state: DeliveryState;
  attempts: number;
  isReplay: boolean;
  object: string;
  occurredAt: Date;
  /** Null, like the three fields after it, if the event is deleted. */
  eventId: string | null;
  event: string | null;
  eventType: string | null;
  objectId: string | null;
  /** The exact body text of a request; null if the content was removed. */
  body: string | null;
};

export type EventPage = {
  /** In the order of their sequences. */
  events: PulledEvent[];
  /** The last assigned sequence at the time of the query. */
  lastSequence: number;
  /** Whether nothing is kept between the last of `events` and `lastSequence`. */
  isLast: boolean;
};

export type OwnedSubscription = { enterpriseId: number; subscriptionId: number };

type PageRow = {
  last_sequence: number;
  candidates: number;
  sequence: number | null;
  state: DeliveryState;
  attempts: number;
  is_replay: boolean;
  object: string;
  event_at: Date;
  event_id: string | null;
  event: string | null;
  event_type: string | null;
  object_id: string | null;
  body: string | null;
};

/** Maximum size of all bodies of a page in bytes; a larger page ends early. */
const maxPageBytes = 8 * 1024 * 1024;

/**
 * One statement, so that sequences and deliveries come from one snapshot. Sequences are assigned
 * under the lock of the health row, one transaction after the other, and `last_sequence` is raised
 * by the transaction that inserts the deliveries. So a reader that sees `last_sequence` = N sees
 * all deliveries up to N: an event whose transaction commits late gets a higher sequence, which no
 * reader has passed yet.
 */
const pageSql = `
  SELECT h.last_sequence, coalesce(p.candidates, 0) AS candidates, p.sequence, p.state, p.attempts,
    p.is_replay, p.object, p.event_at, p.event_id, p.event, p.event_type, p.object_id, p.body
  FROM subscriptions s
  JOIN subscription_health h ON h.subscription_id = s.id
  LEFT JOIN LATERAL (
    SELECT d.*, e.event_id, e.event, e.event_type, e.object_id,
      CASE WHEN e.expunged_at IS NULL THEN e.body END AS body,
      count(*) OVER () AS candidates,
      sum(octet_length(coalesce(e.body, ''))) OVER (ORDER BY d.sequence) AS bytes,
      row_number() OVER (ORDER BY d.sequence) AS place
    FROM (
      SELECT sequence, state, attempts, replay_id IS NOT NULL AS is_replay, object, event_at,
        event_row_id
      FROM deliveries WHERE subscription_id = s.id AND sequence > ? ORDER BY sequence LIMIT ?
    ) AS d
    LEFT JOIN LATERAL (
      SELECT event_id, event, event_type, object_id, body, expunged_at FROM events
      WHERE id = d.event_row_id AND occurred_at = d.event_at LIMIT 1
    ) AS e ON true
  ) AS p ON p.bytes <= ${maxPageBytes} OR p.place = 1
  WHERE s.id = ? AND s.enterprise_id = ? AND s.deleted_at IS NULL
  ORDER BY p.sequence`;

/** The deliveries after a sequence; undefined if the enterprise has no such subscription. */
export async function readEvents(
  db: Db,
  { enterpriseId, subscriptionId }: OwnedSubscription,
  { after, limit }: { after: number; limit: number },
): Promise<EventPage | undefined> {
  const bindings = [after, limit, subscriptionId, enterpriseId];
  const rows = await preparedRowsOf<PageRow>(db, pageSql, bindings);
  const [first] = rows;
  if (first === undefined) {
    return undefined;
  }
  const events = rows.filter((row) => row.sequence !== null).map(toEvent);
  const isTruncated = events.length < first.candidates;
  const isLast = first.candidates < limit && !isTruncated;
  return { events, lastSequence: first.last_sequence, isLast };
}

function toEvent(row: PageRow): PulledEvent {
  return {
    sequence: row.sequence ?? 0,
    state: row.state,
    attempts: row.attempts,
    isReplay: row.is_replay,
    object: row.object,
    occurredAt: row.event_at,
    eventId: row.event_id,
    event: row.event,
    eventType: row.event_type,
    objectId: row.object_id,
    body: row.body,
  };
}

/** The last assigned sequence; undefined if the enterprise has no such subscription. */
export async function readLastSequence(
  db: Db,
  { enterpriseId, subscriptionId }: OwnedSubscription,
): Promise<number | undefined> {
  const [row] = await preparedRowsOf<{ last_sequence: number }>(
    db,
    `SELECT h.last_sequence FROM subscriptions s
     JOIN subscription_health h ON h.subscription_id = s.id
     WHERE s.id = ? AND s.enterprise_id = ? AND s.deleted_at IS NULL`,
    [subscriptionId, enterpriseId],
  );
  return row?.last_sequence;
}

/** The last sequences of these subscriptions, one row each. */
export async function readLastSequences(
  db: Db,
  subscriptionIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await preparedRowsOf<{ subscription_id: number; last_sequence: number }>(
    db,
    `SELECT subscription_id, last_sequence FROM subscription_health
     WHERE subscription_id = ANY(?::bigint[])`,
    [subscriptionIds],
  );
  return new Map(rows.map((row) => [row.subscription_id, row.last_sequence]));
}

/** The time of the last pull is stored at most this often if the position is unchanged. */
const pullNoteIntervalSeconds = 60;

/**
 * Stores the position that a receiver has acknowledged. Never moves it back. Skips a locked row,
 * which the relay needs more urgently: the receiver's next call repeats it.
 */
export async function notePulled(
  db: Db,
  subscriptionId: number,
  { sequence, now }: { sequence: number; now: Date },
): Promise<void> {
  await preparedRowsOf(
    db,
    `UPDATE subscription_health h SET pulled_to = greatest(h.pulled_to, ?), pulled_at = ?
     FROM (
       SELECT p.subscription_id FROM subscription_health p
       JOIN subscriptions s ON s.id = p.subscription_id AND s.mode = 'pull'
       WHERE p.subscription_id = ? AND (p.pulled_to < ? OR p.pulled_at IS NULL
         OR p.pulled_at < ?::timestamptz - interval '${pullNoteIntervalSeconds} seconds')
       FOR NO KEY UPDATE OF p SKIP LOCKED
     ) AS mine
     WHERE h.subscription_id = mine.subscription_id`,
    [sequence, now, subscriptionId, sequence, now],
  );
}
