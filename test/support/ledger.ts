import { claimDeliveries, type ClaimedDelivery } from "../../src/pipeline/ledger/claim.ts";
import type { HandedOut } from "../../src/pipeline/ledger/hand-out.ts";
import type { WriteNotices } from "../../src/pipeline/ledger/notices.ts";
import {
  settleAttempts,
  type Settlement,
  type SettleLimits,
} from "../../src/pipeline/ledger/settle.ts";
import { fanOut } from "../../src/pipeline/relay/fan-out.ts";
import { createSubscriptionSet } from "../../src/pipeline/relay/subscription-set.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";

/** Limits of a hand-out that nothing but the windows hold back. */
export const openLimits = (now = new Date()): SettleLimits => ({
  now,
  closed: [],
  maxInFlight: 256,
  mayProbe: false,
  isPressed: false,
});

/** Fans out everything in the outbox, as a relay that has just started. */
export const fanOutAll = async (db: Db, limits = openLimits()): Promise<HandedOut[]> =>
  (await fanOut(db, createSubscriptionSet(), { limit: 1_000, afterEventId: 0 }, limits)).handedOut;

export const claimAll = async (
  db: Db,
  hints: readonly HandedOut[],
  lease = { now: new Date(), leaseMs: 60_000 },
): Promise<ClaimedDelivery[]> =>
  (await claimDeliveries(db, hints, lease)).filter((claimed) => claimed !== undefined);

/** A result as a worker settles it; a success unless told otherwise. */
export const aSettlement = (
  claimed: ClaimedDelivery,
  more: Partial<Settlement> = {},
): Settlement => ({
  deliveryId: claimed.deliveryId,
  generation: claimed.generation,
  subscriptionId: claimed.subscriptionId,
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
    requestHeaders: { "webhook-id": claimed.messageId },
    responseHeaders: { "content-type": "text/plain" },
    responseBody: "ok",
    ...more.record,
  },
});

export const settleAll = (
  db: Db,
  settlements: readonly Settlement[],
  limits = openLimits(),
  writeNotices: WriteNotices = async () => undefined,
) => settleAttempts({ db, writeNotices }, settlements, limits);

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

export const readLedger = (db: Db, subscriptionId: number): Promise<LedgerRow[]> =>
  rowsOf(
    db,
    `SELECT id, subscription_id, sequence, state, attempts, generation, waits_for, due_at, key
     FROM deliveries WHERE subscription_id = ? ORDER BY sequence`,
    [subscriptionId],
  );
