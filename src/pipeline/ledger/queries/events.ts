/** Queries of past events. Bound to the enterprise. */
import { maxFreshBodyBytes } from "../../../contracts/jobs.ts";
import { rowsOf, type Queryable } from "../../../platform/db/pool.ts";

export type PastEvent = {
  id: number;
  eventId: string;
  object: string;
  event: string;
  eventType: string | null;
  objectId: string;
  key: string;
  occurredAt: Date;
  expungedAt: Date | null;
};

export type PastEventRow = {
  id: number;
  event_id: string;
  object: string;
  event: string;
  event_type: string | null;
  object_id: string;
  key: string;
  occurred_at: Date;
  expunged_at: Date | null;
};

export const pastEventColumns = `e.id, e.event_id, e.object, e.event, e.event_type, e.object_id,
  e.key, e.occurred_at, e.expunged_at`;

/** Which rows of `outbox o`; the limit is SQL, too. */
type OldestRows = { where?: string; limit: string };

/** Times of events, as bindings of `outboxEventsSql`. */
export type EventTimes = { first: Date | string; last: Date | string };

const hourMs = 3_600_000;

/** Nearly all events are fanned out within seconds. */
export function recentTimes(now: Date): EventTimes {
  return { first: new Date(now.getTime() - hourMs), last: new Date(now.getTime() + hourMs) };
}

export const anyTime: EventTimes = { first: "-infinity", last: "infinity" };

/**
 * SELECT of what the fan-out needs of the oldest events in the outbox. The limit counts events: rows
 * whose event is missing would otherwise fill every batch, and nothing behind them would be read.
 *
 * Binds `:first` and `:last`: only the partitions of this time are opened, and each kept day costs
 * several microseconds. Of an older or later event only the columns of `outbox` are returned.
 */
export function outboxEventsSql({ where = "true", limit }: OldestRows): string {
  return `
    SELECT o.event_row_id, o.occurred_at, e.enterprise_id, e.object, e.event, e.event_type, e.key,
      e.is_expunged, e.event_id, e.body
    FROM outbox o
    -- LATERAL with a limit always probes the index; a join may read a whole day's partition.
    LEFT JOIN LATERAL (
      SELECT enterprise_id, object, event, event_type, key,
        expunged_at IS NOT NULL AS is_expunged, event_id,
        CASE WHEN octet_length(body) <= ${maxFreshBodyBytes} THEN body END AS body
      FROM events
      -- In order by id, written as a range, so that only the primary key fits: in a new partition
      -- all indexes cost the same, and that of enterprises would be read as a whole for each row.
      WHERE id BETWEEN o.event_row_id AND o.event_row_id AND occurred_at = o.occurred_at
        AND occurred_at BETWEEN CAST(:first AS timestamptz) AND CAST(:last AS timestamptz)
      ORDER BY id LIMIT 1) AS e ON true
    WHERE ${where} AND (e.event_id IS NOT NULL OR o.occurred_at
      NOT BETWEEN CAST(:first AS timestamptz) AND CAST(:last AS timestamptz))
    ORDER BY o.event_row_id LIMIT ${limit}`;
}

export type EventLookup = { object: string; objectId: string; at: Date };

/** The newest events of the enterprise, newest first. */
export async function listNewestEvents(
  db: Queryable,
  enterpriseId: number,
  limit: number,
): Promise<PastEvent[]> {
  const sql = `SELECT ${pastEventColumns} FROM events e WHERE e.enterprise_id = ?
    ORDER BY e.id DESC LIMIT ?`;
  return (await rowsOf<PastEventRow>(db, sql, [enterpriseId, limit])).map(toPastEvent);
}

/** One event of the enterprise by its public id. */
export async function findEvent(
  db: Queryable,
  enterpriseId: number,
  eventId: string,
): Promise<PastEvent | undefined> {
  const sql = `SELECT ${pastEventColumns} FROM events e
    WHERE e.event_id = ? AND e.enterprise_id = ?`;
  return (await rowsOf<PastEventRow>(db, sql, [eventId, enterpriseId])).map(toPastEvent)[0];
}

const aroundMs = 5 * 60_000;

const mostCandidates = 20;

/** The events of an object within five minutes of a time: at most 20, nearest first. */
export async function listEventsAround(
  db: Queryable,
  enterpriseId: number,
  { object, objectId, at }: EventLookup,
): Promise<PastEvent[]> {
  const rows = await rowsOf<PastEventRow>(
    db,
    `SELECT ${pastEventColumns} FROM events e
     WHERE e.enterprise_id = ? AND e.object = ? AND e.object_id = ?
       AND e.occurred_at BETWEEN ? AND ?
     ORDER BY abs(extract(epoch FROM e.occurred_at - ?::timestamptz)), e.id LIMIT ?`,
    [
      enterpriseId,
      object,
      objectId,
      new Date(at.getTime() - aroundMs),
      new Date(at.getTime() + aroundMs),
      at,
      mostCandidates,
    ],
  );
  return rows.map(toPastEvent);
}

export function toPastEvent(row: PastEventRow): PastEvent {
  return {
    id: row.id,
    eventId: row.event_id,
    object: row.object,
    event: row.event,
    eventType: row.event_type,
    objectId: row.object_id,
    key: row.key,
    occurredAt: row.occurred_at,
    expungedAt: row.expunged_at,
  };
}

/** Bodies by event id; empty if the content was removed. */
export async function readBodies(
  db: Queryable,
  events: readonly Pick<PastEvent, "id" | "occurredAt">[],
): Promise<Map<number, string>> {
  const rows = await rowsOf<{ id: number; body: string }>(
    db,
    `SELECT input.id, e.body
     FROM unnest(?::bigint[], ?::timestamptz[]) AS input(id, occurred_at)
     CROSS JOIN LATERAL (
       SELECT body FROM events
       WHERE id = input.id AND occurred_at = input.occurred_at LIMIT 1) AS e`,
    [events.map(({ id }) => id), events.map(({ occurredAt }) => occurredAt)],
  );
  return new Map(rows.map((row) => [row.id, row.body]));
}
