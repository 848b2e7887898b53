/** Reads of the two proofs. Every query is bound to its enterprise. */
import { namedRowsOf, rowsOf, type Queryable } from "../../platform/db/pool.ts";
import {
  pastEventColumns,
  toPastEvent,
  type PastEvent,
  type PastEventRow,
} from "../explain/events.ts";

/** Which events: those that happened in the period, by their ids from one on. */
export type EventRange = { since: Date; until: Date; afterId: number; limit: number };

/** Where events are that have left no delivery, and the deliveries of the others. */
export type Ledger = {
  /** `event subscription` of what the relay made; replays do not count. */
  deliveries: ReadonlySet<string>;
  waiting: ReadonlySet<number>;
  setAside: ReadonlySet<number>;
};

/** One delivery as a receiver can compare it with its own table. */
export type ManifestRow = {
  sequence: number;
  /** Null, as what follows, where the event itself is no longer kept. */
  messageId: string | null;
  state: string;
  object: string;
  event: string | null;
  objectId: string | null;
  at: Date;
  isReplay: boolean;
};

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

export async function readLedger(
  db: Queryable,
  enterpriseId: number,
  eventIds: readonly number[],
): Promise<Ledger> {
  const rows = await rowsOf<{ event_id: number; subscription_id: number }>(
    db,
    `SELECT event_id, subscription_id FROM deliveries
     WHERE event_id = ANY(?::bigint[]) AND replay_id IS NULL AND enterprise_id = ?`,
    [eventIds, enterpriseId],
  );
  return {
    deliveries: new Set(rows.map((row) => pairOf(row.event_id, row.subscription_id))),
    waiting: await idsIn(db, "outbox", eventIds),
    setAside: await idsIn(db, "outbox_dead", eventIds),
  };
}

export function pairOf(eventId: number, subscriptionId: number): string {
  return `${eventId} ${subscriptionId}`;
}

async function idsIn(
  db: Queryable,
  table: "outbox" | "outbox_dead",
  eventIds: readonly number[],
): Promise<Set<number>> {
  const sql = `SELECT event_id FROM ${table} WHERE event_id = ANY(?::bigint[])`;
  const rows = await rowsOf<{ event_id: number }>(db, sql, [eventIds]);
  return new Set(rows.map((row) => row.event_id));
}

type Row = {
  sequence: number;
  message_id: string | null;
  state: string;
  object: string;
  event: string | null;
  object_id: string | null;
  event_at: Date;
  is_replay: boolean;
};

/** The deliveries of a subscription from one sequence to another, in their order. */
export async function listManifest(
  db: Queryable,
  subscriptionId: number,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<ManifestRow[]> {
  const rows = await namedRowsOf<Row>(
    db,
    `SELECT d.sequence, e.message_id, d.state, d.object, e.event, e.object_id, d.event_at,
       d.replay_id IS NOT NULL AS is_replay
     FROM (SELECT sequence, state, object, event_id, event_at, replay_id FROM deliveries
           WHERE subscription_id = :subscriptionId AND sequence BETWEEN :from AND :to
           ORDER BY sequence LIMIT :limit) AS d
     LEFT JOIN LATERAL (
       SELECT message_id, event, object_id FROM events
       WHERE id = d.event_id AND occurred_at = d.event_at LIMIT 1) AS e ON true
     ORDER BY d.sequence`,
    { subscriptionId, from, to, limit },
  );
  return rows.map((row) => ({
    sequence: row.sequence,
    messageId: row.message_id,
    state: row.state,
    object: row.object,
    event: row.event,
    objectId: row.object_id,
    at: row.event_at,
    isReplay: row.is_replay,
  }));
}

/** The highest sequence that was given, and the lowest whose row is still there. */
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
