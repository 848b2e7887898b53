/**
 * In: outbox rows. Out: delivery rows, and jobs to add after the commit.
 * Guarantee: an event leaves the outbox in the transaction that writes its deliveries; sequences
 * are contiguous per subscription and follow the order of commits per object.
 * On crash: before the commit nothing happened; after it the sweeper requeues what has no job.
 */
import { advisoryLocks } from "../../platform/db/session-locks.ts";
import { inTransaction, rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import { enqueueDue, type EnqueuedDelivery, type EnqueueLimits } from "../ledger/enqueue-due.ts";
import { lockHealth } from "../ledger/health-store.ts";
import { insertDeliveries } from "../ledger/insert-deliveries.ts";
import { readPredecessors } from "../ledger/predecessors.ts";
import { matchSubscriptions, planDeliveries } from "./plan.ts";
import type { OutboxEvent, SubscriptionSet } from "./subscription-set.ts";

export type FanOutResult = {
  /** Events that left the outbox. Undefined: another relay holds the lock. */
  events: OutboxEvent[] | undefined;
  enqueued: EnqueuedDelivery[];
};

/**
 * Which outbox rows: the oldest visible ones. `afterEventRowId` is 0 except while a failing row is being
 * searched for; it is never a cursor, because ids become visible out of order.
 */
export type OutboxRange = { limit: number; afterEventRowId: number };

/** A batch that could not be written, and the first of its events. Nothing of it has happened. */
export class FanOutError extends Error {
  readonly firstEventRowId: number;
  readonly fault: Error & { code?: unknown };
  constructor(firstEventRowId: number, fault: Error) {
    super(fault.message, { cause: fault });
    this.name = "FanOutError";
    this.firstEventRowId = firstEventRowId;
    this.fault = fault;
  }
}

/** Fans out a range of the outbox. Rejects for our own faults only; then nothing has happened. */
export async function fanOut(
  db: Db,
  subscriptions: SubscriptionSet,
  range: OutboxRange,
  limits: EnqueueLimits,
): Promise<FanOutResult> {
  return inTransaction(db, async (trx) => {
    if (!(await tryRelayLock(trx))) {
      return { events: undefined, enqueued: [] };
    }
    const events = await readOutbox(trx, range);
    const [first] = events;
    if (first === undefined) {
      return { events, enqueued: [] };
    }
    try {
      return { events, enqueued: await fanOutEvents(trx, subscriptions, events, limits) };
    } catch (thrown) {
      throw new FanOutError(first.eventRowId, toError(thrown));
    }
  });
}

/**
 * One relay at a time: two could give a ticket's second event a lower sequence than its first.
 * The lock ends with the transaction, so a relay that dies or hangs blocks no other for long.
 */
async function tryRelayLock(trx: Trx): Promise<boolean> {
  const [row] = await rowsOf<{ won: boolean }>(trx, "SELECT pg_try_advisory_xact_lock(?) AS won", [
    advisoryLocks.relay,
  ]);
  return row?.won === true;
}

type OutboxRow = {
  event_id: number;
  occurred_at: Date;
  enterprise_id: number;
  object: OutboxEvent["object"];
  event: OutboxEvent["event"];
  event_type: OutboxEvent["eventType"] | null;
  key: string;
  is_expunged: boolean;
};

async function readOutbox(
  trx: Trx,
  { limit, afterEventRowId }: OutboxRange,
): Promise<OutboxEvent[]> {
  const rows = await rowsOf<OutboxRow>(
    trx,
    `SELECT o.event_id, o.occurred_at, e.enterprise_id, e.object, e.event, e.event_type, e.key,
       e.is_expunged
     FROM (SELECT event_id, occurred_at FROM outbox WHERE event_id > ?
           ORDER BY event_id LIMIT ?) AS o
     -- LATERAL with a limit always probes the index; a join may read a whole day's partition.
     CROSS JOIN LATERAL (
       SELECT enterprise_id, object, event, event_type, key,
         expunged_at IS NOT NULL AS is_expunged
       FROM events
       WHERE id = o.event_id AND occurred_at = o.occurred_at LIMIT 1) AS e
     ORDER BY o.event_id`,
    [afterEventRowId, limit],
  );
  return rows.map((row) => ({
    eventRowId: row.event_id,
    occurredAt: row.occurred_at,
    enterpriseId: row.enterprise_id,
    object: row.object,
    event: row.event,
    key: row.key,
    isExpunged: row.is_expunged,
    ...(row.event_type === null || row.event_type === undefined
      ? {}
      : { eventType: row.event_type }),
  }));
}

async function fanOutEvents(
  trx: Trx,
  subscriptions: SubscriptionSet,
  events: readonly OutboxEvent[],
  limits: EnqueueLimits,
): Promise<EnqueuedDelivery[]> {
  // After the events were read: a subscription made before an event is then known.
  await subscriptions.refresh(trx);
  const matched = await matchSubscriptions(trx, subscriptions, events);
  const ids = [...new Set(matched.flatMap(({ matches }) => matches.map((m) => m.subscriptionId)))];
  const health = await lockHealth(trx, ids);
  const planned = await planDeliveries(matched, health, (pairs) => readPredecessors(trx, pairs));
  await insertDeliveries(
    trx,
    events.map((event) => event.eventRowId),
    planned,
    limits.now,
  );
  return ids.length === 0 ? [] : enqueueDue(trx, ids, limits);
}
