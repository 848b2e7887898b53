/**
 * In: outbox rows. Out: delivery rows, and jobs to add after the commit.
 * Guarantee: an event leaves the outbox in the transaction that inserts its deliveries. Sequences
 * are contiguous per subscription and follow the commit order per object.
 * On crash: before the commit nothing happened; after it the sweeper requeues deliveries without a
 * job.
 */
import type { Db, Trx } from "../../platform/db/pool.ts";
import { inTransactionEndingWith, type LastStatements } from "../../platform/db/transaction.ts";
import { toError } from "../../platform/errors.ts";
import { enqueueDue, type EnqueueLimits } from "../ledger/enqueue-due.ts";
import type { FannedOut } from "../ledger/fan-out-by-rules.ts";
import { isSuspended, lockHealth, readFreeWindows } from "../ledger/health.ts";
import {
  insertDeliveries,
  orderingKeysOf,
  planDeliveries,
  type MatchedEvent,
  type OutboxEvent,
  type SubscriptionMatch,
} from "../ledger/new-deliveries.ts";
import { readPredecessors } from "../ledger/predecessors.ts";
import { anyTime, readBodies, recentTimes, type EventTimes } from "../ledger/queries/events.ts";
import { createEventLoopYielder } from "../../platform/concurrency/pace.ts";
import { lazyContent, matchConditions, type MatchCandidate } from "../ledger/match-event.ts";
import { readOutbox, tryLockShard, wholeOutbox, type OutboxRange } from "./shards.ts";
import type { SubscriptionSet } from "./subscription-rules.ts";

export type FanOutResult = {
  /** Events that left the outbox; undefined if another relay holds the lock of the shard. */
  events: OutboxEvent[] | undefined;
} & Planned;

type Planned = Omit<FannedOut, "events">;

const nothingPlanned: Planned = { enqueued: [], hasPending: false };

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
    // one that was created before an event is known. So a second read needs a second refresh.
    const read = async (times: EventTimes) =>
      (await Promise.all([readOutbox(trx, range, times), subscriptions.refresh(trx)]))[0];
    const [isLocked, recent] = await Promise.all([
      tryLockShard(trx, range.shard ?? wholeOutbox),
      read(recentTimes(limits.now)),
    ]);
    if (!isLocked) {
      return { last: Promise.resolve({ events: undefined, ...nothingPlanned }) };
    }
    const events = recent ?? (await read(anyTime)) ?? [];
    const [first] = events;
    if (first === undefined) {
      return { last: Promise.resolve({ events, ...nothingPlanned }) };
    }
    const toFanOutError = (thrown: unknown): never => {
      throw new FanOutError(first.eventRowId, toError(thrown));
    };
    const { last } = await fanOutEvents(trx, subscriptions, events, limits).catch(toFanOutError);
    return { last: last.then((result) => ({ events, ...result }), toFanOutError) };
  });
}

async function fanOutEvents(
  trx: Trx,
  subscriptions: SubscriptionSet,
  events: readonly OutboxEvent[],
  limits: EnqueueLimits,
): Promise<LastStatements<Planned>> {
  const matched = await matchSubscriptions(trx, subscriptions, events);
  const ids = [...new Set(matched.flatMap(({ matches }) => matches.map((m) => m.subscriptionId)))];
  const pairs = orderingKeysOf(matched);
  // The lock first: predecessors are read once no other transaction can end them.
  const [health, predecessors, free] = await Promise.all([
    lockHealth(trx, ids),
    readPredecessors(trx, pairs),
    readFreeWindows(trx, ids, limits),
  ]);
  const planned = planDeliveries(matched, health, predecessors, { free, closed: limits.closed });
  const eventRowIds = events.map((event) => event.eventRowId);
  const inserted = insertDeliveries(trx, eventRowIds, planned, limits);
  const others = ids.filter((id) => !free.has(id));
  const enqueued = others.length === 0 ? [] : enqueueDue(trx, others, limits);
  const hasPending = planned.some(({ state, subscriptionId: id }) => {
    const one = health.get(id);
    return state === "pending" && one !== undefined && !isSuspended(one, limits.now);
  });
  return {
    last: Promise.all([inserted, enqueued]).then((jobs) => ({ enqueued: jobs.flat(), hasPending })),
  };
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
  const candidates = await subscriptions.match(trx, events);
  const found = events.map((event, index) => ({ event, candidates: candidates[index] ?? [] }));
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
