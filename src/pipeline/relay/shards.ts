/**
 * Shards of the outbox: several relays fan out at once, each another shard. Nothing in the pipeline
 * crosses enterprises, so all events of an enterprise are in one shard, and within it the relay
 * keeps their order. See docs/decisions/034-relay-shards.md.
 */
import { advisoryLocks, type Db, type Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf, preparedRowsOf } from "../../platform/db/prepared.ts";
import type { OutboxEvent } from "../ledger/new-deliveries.ts";
import { outboxEventsSql, type EventTimes } from "../ledger/queries/events.ts";

/** The enterprises whose id modulo `count` is `index`. `count` is a power of two. */
export type Shard = Readonly<{ index: number; count: number }>;

export const wholeOutbox: Shard = { index: 0, count: 1 };

export function listShards(count: number): Shard[] {
  return Array.from({ length: count }, (_, index) => ({ index, count }));
}

/**
 * Locks the shard for the transaction: two relays could give a ticket's second event a lower
 * sequence than its first. A relay that dies or hangs blocks its shard only briefly.
 *
 * Relays may disagree about `count` while it is being changed, so shards form a tree: each one of
 * 4 is half of one of 2. Those above are locked as shared, so they are excluded, and the other half
 * is not. The root is the one lock of relays without shards.
 */
export async function tryLockShard(trx: Trx, shard: Shard): Promise<boolean> {
  const above = listAbove(shard);
  const locks = [
    ...above.map(() => "pg_try_advisory_xact_lock_shared(?)"),
    "pg_try_advisory_xact_lock(?)",
  ];
  const sql = `SELECT ${locks.join(" AND ")} AS won`;
  const [row] = await preparedRowsOf<{ won: boolean }>(trx, sql, [...above, shard].map(lockOf));
  return row?.won === true;
}

/** From the whole outbox down to the half that contains this one. */
function listAbove({ index, count }: Shard): Shard[] {
  const above: Shard[] = [];
  for (let size = 1; size < count; size *= 2) {
    above.push({ index: index % size, count: size });
  }
  return above;
}

/** Distinct: those of `count` shards follow those of all smaller counts. */
function lockOf({ index, count }: Shard): number {
  return count === 1 ? advisoryLocks.relay : advisoryLocks.relayShards + count + index;
}

/**
 * The oldest visible outbox rows of a shard. `afterEventRowId` is 0 except while a failing row is being
 * searched. It is never a cursor, because ids become visible out of order.
 */
export type OutboxRange = { limit: number; afterEventRowId: number; shard?: Shard };

type OutboxRow = {
  event_row_id: number;
  occurred_at: Date;
  enterprise_id: number;
  object: OutboxEvent["object"];
  event: OutboxEvent["event"];
  event_type: OutboxEvent["eventType"] | null;
  key: string;
  is_expunged: boolean;
  /** Null if the event is outside the times that were read. */
  event_id: string | null;
  body: string | null;
};

const outboxSql = readOutboxSql("");
const shardSql = readOutboxSql("AND o.enterprise_id % :count = :index");

function readOutboxSql(condition: string): string {
  return outboxEventsSql({ where: `o.event_row_id > :after ${condition}`, limit: ":limit" });
}

/**
 * Reads a range of the outbox, with what fan-out needs of the events. Undefined if one of them is not
 * of these times, as after an outage.
 */
export async function readOutbox(
  trx: Trx,
  { limit, afterEventRowId: after, shard = wholeOutbox }: OutboxRange,
  times: EventTimes,
): Promise<OutboxEvent[] | undefined> {
  const sql = shard.count === 1 ? outboxSql : shardSql;
  const bindings = { limit, after, ...shard, ...times };
  const rows = await preparedNamedRowsOf<OutboxRow>(trx, sql, bindings);
  return rows.some((row) => row.event_id === null) ? undefined : rows.map(toOutboxEvent);
}

function toOutboxEvent(row: OutboxRow): OutboxEvent {
  const { event_id: eventId, body } = row;
  return {
    eventRowId: row.event_row_id,
    occurredAt: row.occurred_at,
    enterpriseId: row.enterprise_id,
    object: row.object,
    event: row.event,
    key: row.key,
    isExpunged: row.is_expunged,
    content: eventId === null || body === null ? undefined : { eventId, body },
    ...(row.event_type === null || row.event_type === undefined
      ? {}
      : { eventType: row.event_type }),
  };
}

/** So many of the oldest rows show which shards have work; with more, all are tried. */
const maxScanned = 1_000;

type ShardCount = { index: number; events: number };

/** The shards that have events, so that a single event does not cost a transaction per shard. */
export async function listBusyShards(db: Db, shards: readonly Shard[]): Promise<Shard[]> {
  const found = await preparedRowsOf<ShardCount>(
    db,
    `SELECT enterprise_id % ? AS index, CAST(count(*) AS integer) AS events
     FROM (SELECT enterprise_id FROM outbox ORDER BY event_row_id LIMIT ?) AS oldest GROUP BY 1`,
    [shards.length, maxScanned],
  );
  const isComplete = found.reduce((sum, { events }) => sum + events, 0) < maxScanned;
  const indexes = new Set(found.map(({ index }) => index));
  return isComplete ? shards.filter(({ index }) => indexes.has(index)) : [...shards];
}
