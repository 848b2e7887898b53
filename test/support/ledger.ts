import {
  claimDeliveries,
  type ClaimedDelivery,
  type ClaimJob,
} from "../../src/pipeline/ledger/claim.ts";
import type { EnqueuedDelivery } from "../../src/pipeline/ledger/enqueue-due.ts";
import type { WriteNotices } from "../../src/pipeline/ledger/notices.ts";
import type { Settlement } from "../../src/pipeline/ledger/record-results.ts";
import { settleAttempts, type SettleLimits } from "../../src/pipeline/ledger/settle.ts";
import { fanOut } from "../../src/pipeline/relay/fan-out.ts";
import { createSubscriptionSet } from "../../src/pipeline/relay/subscription-rules.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";

/** Limits of an enqueue that only concurrency windows restrict. */
export function openLimits(now = new Date()): SettleLimits {
  return {
    now,
    closed: [],
    maxInFlight: 256,
    mayProbe: false,
    reservedMs: 0,
    slots: {},
    shares: {},
    each: 1_000,
    leaseMs: 60_000,
    pace: "full",
  };
}

/** Fans out the whole outbox, like a relay that has just started. */
export async function fanOutAll(db: Db, limits = openLimits()): Promise<EnqueuedDelivery[]> {
  return (await fanOut(db, createSubscriptionSet(), { limit: 1_000, afterEventRowId: 0 }, limits))
    .enqueued;
}

export async function claimAll(
  db: Db,
  jobs: readonly ClaimJob[],
  lease = { now: new Date(), leaseMs: 60_000 },
): Promise<ClaimedDelivery[]> {
  return (await claimDeliveries(db, jobs, lease)).filter((claimed) => claimed !== undefined);
}

/** A result as settled by a worker; a success by default. */
export function aSettlement(claimed: ClaimedDelivery, more: Partial<Settlement> = {}): Settlement {
  return {
    deliveryId: claimed.deliveryId,
    generation: claimed.generation,
    subscriptionId: claimed.subscriptionId,
    object: claimed.object,
    state: "delivered",
    dueAt: null,
    congested: false,
    throttleMs: 0,
    isCatchingUp: false,
    ...more,
    record: {
      startedAt: new Date(),
      revision: null,
      durationMs: 12,
      status: 200,
      failure: null,
      failureDetail: null,
      phases: { total: 12 },
      requestHeaders: { "webhook-id": claimed.eventId },
      responseHeaders: { "content-type": "text/plain" },
      responseBody: "ok",
      ...more.record,
    },
  };
}

export function settleAll(
  db: Db,
  settlements: readonly Settlement[],
  limits = openLimits(),
  writeNotices: WriteNotices = async () => undefined,
) {
  const sendDue = (): void => undefined;
  return settleAttempts(
    { db, writeNotices, steady: new Set(), dueSeen: new Map(), sendDue },
    settlements,
    limits,
  );
}

export type LedgerRow = {
  id: number;
  subscription_id: number;
  sequence: number;
  state: string;
  attempts: number;
  generation: number;
  waits_for: number | null;
  due_at: Date;
  key: string;
};

export function readLedger(db: Db, subscriptionId: number): Promise<LedgerRow[]> {
  return rowsOf(
    db,
    `SELECT id, subscription_id, sequence, state, attempts, generation, waits_for, due_at, key
     FROM deliveries WHERE subscription_id = ? ORDER BY sequence`,
    [subscriptionId],
  );
}

type OrderRow = { subscription_id: number; sequence: number; event_row_id: number; key: string };

/**
 * Gaps in a subscription's sequences, and events of an object with a lower sequence than an earlier
 * event. For objects whose events were committed in the order of their ids.
 */
export async function listOrderFaults(
  db: Db,
  subscriptionIds: readonly number[],
): Promise<string[]> {
  const rows = await rowsOf<OrderRow>(
    db,
    `SELECT subscription_id, sequence, event_row_id, key FROM deliveries
     WHERE subscription_id = ANY(?) ORDER BY subscription_id, sequence`,
    [subscriptionIds],
  );
  const last = new Map<number, number>();
  const newest = new Map<string, number>();
  return rows.flatMap(({ subscription_id: id, sequence, event_row_id, key }) => {
    const object = `${key} of subscription ${id}`;
    const isNext = sequence === (last.get(id) ?? 0) + 1;
    const isLate = event_row_id < (newest.get(object) ?? 0);
    last.set(id, sequence);
    newest.set(object, event_row_id);
    return [
      ...(isNext ? [] : [`subscription ${id} has a gap before ${sequence}`]),
      ...(isLate ? [`event ${event_row_id} of ${object} is late`] : []),
    ];
  });
}
