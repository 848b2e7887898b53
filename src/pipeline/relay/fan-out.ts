/**
 * In: outbox rows. Out: delivery rows, and jobs to add after the commit.
 * Guarantee: an event leaves the outbox in the transaction that inserts its deliveries. Sequences
 * are contiguous per subscription and follow the commit order per object.
 * On crash: before the commit nothing happened; after it the sweeper requeues deliveries without a
 * job.
 */
import { maxFreshBodyBytes } from "../../contracts/jobs.ts";
import type { Db, Trx } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { inTransactionEndingWith, type LastStatements } from "../../platform/db/transaction.ts";
import { toError } from "../../platform/errors.ts";
import { enqueueDue, type EnqueuedDelivery, type EnqueueLimits } from "../ledger/enqueue-due.ts";
import { freeWindowsOf, lockHealth, readIdleSubscriptions } from "../ledger/health.ts";
import {
  insertDeliveries,
  orderingKeysOf,
  planDeliveries,
  type MatchedEvent,
  type OutboxEvent,
  type SubscriptionMatch,
} from "../ledger/new-deliveries.ts";
import { readPredecessors } from "../ledger/predecessors.ts";
import { readBodies } from "../ledger/queries/events.ts";
import { createEventLoopYielder } from "../../platform/concurrency/async.ts";
import { matchConditions, lazyContent, type MatchCandidate } from "../ledger/match-event.ts";
import type { SubscriptionSet } from "./subscription-set.ts";
import { isInShardSql, tryLockShard, wholeOutbox, type Shard } from "./shards.ts";

export type FanOutResult = {
  /** Events that left the outbox; undefined if another relay holds the lock of the shard. */
  events: OutboxEvent[] | undefined;
  enqueued: EnqueuedDelivery[];
};

/**
 * The oldest visible outbox rows of a shard. `afterEventRowId` is 0 except while a failing row is being
 * searched. It is never a cursor, because ids become visible out of order.
 */
export type OutboxRange = { limit: number; afterEventRowId: number; shard?: Shard };

/** A batch that was rolled back, and its first event. */
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

/** An event and the subscriptions whose filters match. */
type EventCandidates = { event: OutboxEvent; candidates: readonly MatchCandidate[] };

/** Fans out a range of the outbox. Rejects only for our own faults, with everything rolled back. */
export async function fanOut(
  db: Db,
  subscriptions: SubscriptionSet,
  range: OutboxRange,
  limits: EnqueueLimits,
): Promise<FanOutResult> {
  return inTransactionEndingWith<FanOutResult>(db, async (trx) => {
    // In this order: the rows that the last holder of the lock left, then the subscriptions, so that
    // one that was created before an event is known.
    const [isLocked, events] = await Promise.all([
      tryLockShard(trx, range.shard ?? wholeOutbox),
      readOutbox(trx, range),
      subscriptions.refresh(trx),
    ]);
    if (!isLocked) {
      return { last: Promise.resolve({ events: undefined, enqueued: [] }) };
    }
    const [first] = events;
    if (first === undefined) {
      return { last: Promise.resolve({ events, enqueued: [] }) };
    }
    const toFanOutError = (thrown: unknown): never => {
      throw new FanOutError(first.eventRowId, toError(thrown));
    };
    const { last } = await fanOutEvents(trx, subscriptions, events, limits).catch(toFanOutError);
    return { last: last.then((enqueued) => ({ events, enqueued }), toFanOutError) };
  });
}

type OutboxRow = {
  event_row_id: number;
  occurred_at: Date;
  enterprise_id: number;
  object: OutboxEvent["object"];
  event: OutboxEvent["event"];
  event_type: OutboxEvent["eventType"] | null;
  key: string;
  is_expunged: boolean;
  event_id: string;
  body: string | null;
};

const outboxSql = readOutboxSql("");
const shardSql = readOutboxSql(`AND ${isInShardSql}`);

function readOutboxSql(condition: string): string {
  return `
    SELECT o.event_row_id, o.occurred_at, e.enterprise_id, e.object, e.event, e.event_type, e.key,
      e.is_expunged, e.event_id, e.body
    FROM (SELECT event_row_id, occurred_at FROM outbox o WHERE event_row_id > ? ${condition}
          ORDER BY event_row_id LIMIT ?) AS o
    -- LATERAL with a limit always probes the index; a join may read a whole day's partition.
    CROSS JOIN LATERAL (
      SELECT enterprise_id, object, event, event_type, key,
        expunged_at IS NOT NULL AS is_expunged, event_id,
        CASE WHEN octet_length(body) <= ${maxFreshBodyBytes} THEN body END AS body
      FROM events
      WHERE id = o.event_row_id AND occurred_at = o.occurred_at LIMIT 1) AS e
    ORDER BY o.event_row_id`;
}

async function readOutbox(
  trx: Trx,
  { limit, afterEventRowId, shard = wholeOutbox }: OutboxRange,
): Promise<OutboxEvent[]> {
  const rows =
    shard.count === 1
      ? await preparedRowsOf<OutboxRow>(trx, outboxSql, [afterEventRowId, limit])
      : await preparedRowsOf<OutboxRow>(trx, shardSql, [
          ...[afterEventRowId, shard.count, shard.index],
          limit,
        ]);
  return rows.map((row) => ({
    eventRowId: row.event_row_id,
    occurredAt: row.occurred_at,
    enterpriseId: row.enterprise_id,
    object: row.object,
    event: row.event,
    key: row.key,
    isExpunged: row.is_expunged,
    content: row.body === null ? undefined : { eventId: row.event_id, body: row.body },
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
): Promise<LastStatements<EnqueuedDelivery[]>> {
  const matched = await matchSubscriptions(trx, subscriptions, events);
  const ids = [...new Set(matched.flatMap(({ matches }) => matches.map((m) => m.subscriptionId)))];
  const pairs = orderingKeysOf(matched);
  // The lock first: predecessors are read once no other transaction can end them.
  const [health, predecessors, idle] = await Promise.all([
    lockHealth(trx, ids),
    readPredecessors(trx, pairs),
    readIdleSubscriptions(trx, ids),
  ]);
  const free = freeWindowsOf(idle, health, limits);
  const planned = planDeliveries(matched, health, predecessors, { free, closed: limits.closed });
  const eventRowIds = events.map((event) => event.eventRowId);
  const inserted = insertDeliveries(trx, eventRowIds, planned, limits);
  const others = ids.filter((id) => !free.has(id));
  const enqueued = others.length === 0 ? [] : enqueueDue(trx, others, limits);
  return { last: Promise.all([inserted, enqueued]).then((jobs) => jobs.flat()) };
}

/**
 * The matching subscriptions of each event. Bodies are read once per batch and parsed once per
 * event, and only if a subscription with conditions is left after the filters.
 */
async function matchSubscriptions(
  trx: Trx,
  subscriptions: SubscriptionSet,
  events: readonly OutboxEvent[],
): Promise<MatchedEvent[]> {
  const found = events.map((event) => ({ event, candidates: subscriptions.match(event) }));
  const withConditions = found.filter(needsBody).map(({ event }) => event);
  const bodies =
    withConditions.length === 0
      ? undefined
      : await readBodies(
          trx,
          withConditions.map(({ eventRowId, occurredAt }) => ({ id: eventRowId, occurredAt })),
        );
  const yieldToOthers = createEventLoopYielder();
  const matched: MatchedEvent[] = [];
  for (const one of found) {
    const body = bodies?.get(one.event.eventRowId);
    const matches =
      body === undefined ? one.candidates.map(toMatch) : filterByConditions(one, body);
    matched.push({ event: one.event, matches });
    if (body !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- conditions may be expensive
      await yieldToOthers();
    }
  }
  return matched;
}

/** An event with removed content needs no body: its deliveries are cancelled anyway. */
function needsBody({ event, candidates }: EventCandidates): boolean {
  return !event.isExpunged && candidates.some(({ inForce }) => inForce.passesConditions !== null);
}

function filterByConditions(
  { candidates }: EventCandidates,
  body: string | null,
): SubscriptionMatch[] {
  const content = lazyContent(body);
  return candidates
    .filter((candidate) => matchConditions(candidate, content).verdict === "matches")
    .map(toMatch);
}

function toMatch({ newest }: MatchCandidate): SubscriptionMatch {
  return {
    subscriptionId: newest.subscriptionId,
    revision: newest.revision,
    isOrdered: newest.isOrdered,
    isActive: newest.isActive,
    mode: newest.mode,
  };
}
