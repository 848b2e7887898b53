import type { Db } from "../../platform/db/pool.ts";
import { inOneBatch } from "../../platform/db/batch.ts";
import { inTransactionEndingWith } from "../../platform/db/transaction.ts";
import {
  enqueueOrClaimDue,
  type DueDeliveries,
  type EnqueueLimits,
  type FreeSlots,
} from "./enqueue-due.ts";
import { isDueExpected, mayBeDue, type DueSeen } from "./earliest-due.ts";
import { withoutFormerPauses } from "./former-urls.ts";
import { type Health, lockHealth } from "./health.ts";
import {
  nextHealth,
  emptyBatchOutcome,
  type WindowLimits,
  type BatchOutcome,
} from "./next-health.ts";
import { type WriteNotices, isRecovery, writeNoticesAbout, type HealthChange } from "./notices.ts";
import {
  batchOutcomes,
  isSteady,
  remainsSteady,
  writeResults,
  writeSteadyResults,
  type SettledRow,
  type Settlement,
} from "./record-results.ts";
import { requeueSubscriptions } from "./requeue.ts";
import { recoverStored, type StoredResult } from "./stored-results.ts";

/** Limits of the next enqueue, and the pace of backlogs. */
export type SettleLimits = EnqueueLimits & Pick<WindowLimits, "pace"> & FreeSlots;

/** `enqueued`: their jobs must be added now. `claimed`: the worker must send them now. */
export type SettleResult = DueDeliveries & {
  /** Whether each settlement was accepted; false if the worker lost its claim. */
  accepted: boolean[];
  /** Subscriptions whose circuit opened or closed. */
  circuits: { opened: number[]; closed: number[] };
};

export type SettleDeps = {
  db: Db;
  writeNotices: WriteNotices;
  /** Subscriptions that were steady when this process last saw them. */
  steady: Set<number>;
  /** What this process knows of due deliveries, by subscription. */
  dueSeen: Map<number, DueSeen>;
  /** Adds the jobs of what was enqueued, and sends what was claimed, without waiting for it. */
  sendDue: (due: DueDeliveries) => void;
};

/** The settlements of a batch, and their results per subscription. */
type Batch = {
  settlements: readonly Settlement[];
  subscriptionIds: readonly number[];
  seen: ReadonlyMap<number, BatchOutcome>;
};

/**
 * Stores the results of many attempts in one transaction, and enqueues or claims what fits into the
 * freed capacity.
 * Guarantee: an attempt row exists if and only if its delivery accepted the result. A worker that
 * lost its lease changes no delivery, only the health of the subscription. A notice is written if
 * and only if its cause is committed.
 *
 * If it rejects, it may have been committed: only `settleAgain` may repeat it.
 */
export async function settleAttempts(
  deps: SettleDeps,
  settlements: readonly Settlement[],
  limits: SettleLimits,
): Promise<SettleResult> {
  const batch = toBatch(settlements);
  if (!isExpectedSteady(batch, deps.steady, limits)) {
    return settleAny(deps, batch, limits);
  }
  const { rows, due, missed } = await settleSteady(deps, batch, limits);
  if (rows.length > 0) {
    const slots = slotsLeft(limits.slots, due.claimed);
    const more = await enqueueMissed(deps.db, missed, { ...limits, slots });
    return toResult(batch, rows, {
      enqueued: [...due.enqueued, ...more.enqueued],
      claimed: [...due.claimed, ...more.claimed],
    });
  }
  // The guess was wrong, but this is committed. It must not be lost if the second attempt fails.
  deps.sendDue(due);
  return settleAny(deps, batch, { ...limits, slots: {}, shares: {} });
}

/**
 * Settles a batch after an attempt that was rejected. If that attempt was committed, and only its
 * answer was lost, nothing is stored twice, and what it let go is due again, or claimed.
 *
 * Only a result that was accepted proves the commit. If none was, the health counts the batch twice.
 * What a steady batch let go after a wrong guess, and what `enqueueMissed` did, waits for the sweep
 * of lost jobs and expired leases.
 */
export async function settleAgain(
  deps: SettleDeps,
  settlements: readonly Settlement[],
  limits: SettleLimits,
): Promise<SettleResult> {
  return settleAny(deps, toBatch(settlements), limits, recoverStored);
}

function toBatch(settlements: readonly Settlement[]): Batch {
  const seen = batchOutcomes(settlements);
  return { settlements, seen, subscriptionIds: [...seen.keys()] };
}

function isExpectedSteady(
  { subscriptionIds, seen }: Batch,
  steady: ReadonlySet<number>,
  limits: WindowLimits,
): boolean {
  return subscriptionIds.every(
    (id) => steady.has(id) && remainsSteady(seen.get(id) ?? emptyBatchOutcome, limits),
  );
}

/**
 * Whether this result may change the health or the window of its subscription, or let go what is due.
 * If not, only successors of its delivery can depend on when it is stored. A guess of this process.
 */
export function isUrgent(
  { steady, dueSeen }: Pick<SettleDeps, "steady" | "dueSeen">,
  settlement: Settlement,
  limits: WindowLimits & Pick<SettleLimits, "now">,
): boolean {
  const due = dueSeen.get(settlement.subscriptionId);
  return (
    due === undefined ||
    isDueExpected(due, limits.now.getTime()) ||
    !isExpectedSteady(toBatch([settlement]), steady, limits)
  );
}

const nothingDue: DueDeliveries = { enqueued: [], claimed: [] };

/**
 * One round trip: nothing needs to be decided between the lock and the results, because the health
 * stays as it is. Stores no results if a subscription is no longer steady. `missed`: subscriptions
 * that have something due although nothing was expected.
 */
async function settleSteady(
  { db, dueSeen }: SettleDeps,
  { settlements, subscriptionIds }: Batch,
  limits: SettleLimits,
): Promise<{ rows: SettledRow[]; due: DueDeliveries; missed: number[] }> {
  const nowMs = limits.now.getTime();
  const asked = subscriptionIds.filter((id) => mayBeDue(dueSeen.get(id), nowMs));
  const [results, due] = await inOneBatch(db, async (trx) => {
    const expected = { subscriptionIds, ceiling: limits.maxInFlight };
    const [, written, enqueued] = await Promise.all([
      // A lock of its own, so that the next statement sees what its previous holder committed.
      lockHealth(trx, subscriptionIds),
      writeSteadyResults(trx, settlements, expected, limits.now),
      asked.length === 0 ? nothingDue : enqueueOrClaimDue(trx, asked, limits, limits),
    ]);
    return [written, enqueued] as const;
  });
  for (const id of asked) {
    dueSeen.set(id, { dueMs: Number.NEGATIVE_INFINITY, ...dueSeen.get(id), askedMs: nowMs });
  }
  for (const id of results.due) {
    dueSeen.set(id, { askedMs: nowMs, ...dueSeen.get(id), dueMs: nowMs });
  }
  return { rows: results.rows, due, missed: results.due.filter((id) => !asked.includes(id)) };
}

/**
 * In a transaction of its own: the results are stored, and must not be lost if this fails. The due
 * pass of the schedule then finds what is left.
 */
async function enqueueMissed(
  db: Db,
  subscriptionIds: readonly number[],
  limits: SettleLimits,
): Promise<DueDeliveries> {
  if (subscriptionIds.length === 0) {
    return nothingDue;
  }
  const enqueued = inOneBatch(db, async (trx) => {
    const [, due] = await Promise.all([
      lockHealth(trx, subscriptionIds),
      enqueueOrClaimDue(trx, subscriptionIds, limits, limits),
    ]);
    return due;
  });
  return enqueued.catch(() => nothingDue);
}

function slotsLeft(
  slots: FreeSlots["slots"],
  claimed: DueDeliveries["claimed"],
): FreeSlots["slots"] {
  const left = { ...slots };
  for (const { object } of claimed) {
    left[object] = (left[object] ?? 0) - 1;
  }
  return left;
}

async function settleAny(
  { db, writeNotices, steady }: SettleDeps,
  { settlements: input, subscriptionIds }: Batch,
  limits: SettleLimits,
  recover?: typeof recoverStored,
): Promise<SettleResult> {
  return inTransactionEndingWith(db, async (trx) => {
    const health = await lockHealth(trx, subscriptionIds);
    const batch = toBatch(await withoutFormerPauses(trx, input));
    const { settlements } = batch;
    // Under the lock: the first attempt may still be running when its connection is lost.
    const stored = (await recover?.(trx, settlements)) ?? [];
    if (stored.length > 0) {
      const due = enqueueOrClaimDue(trx, subscriptionIds, limits, limits);
      return { last: due.then((next) => toResult(batch, stored, next)) };
    }
    const healthChanges = updateHealth(health, batch, limits);
    healthChanges.forEach(({ after }) => noteSteady(steady, after, limits));
    const circuits = circuitsOf(healthChanges);
    const written = writeResults(trx, settlements, healthChanges, limits.now);
    if (settlements.some(({ state }) => state === "dead") || healthChanges.some(isRecovery)) {
      const deaths = (await written).flatMap(({ death }) => death ?? []);
      await writeNoticesAbout(trx, writeNotices, healthChanges, deaths);
    }
    const suspended = suspendedSubscriptions(settlements, circuits.opened);
    if (suspended.length > 0) {
      await written;
      await requeueSubscriptions(trx, suspended);
    }
    const due = enqueueOrClaimDue(trx, subscriptionIds, limits, limits);
    return {
      last: Promise.all([written, due]).then(([rows, next]) =>
        toResult(batch, rows, next, circuits),
      ),
    };
  });
}

/** Only a guess: it is checked again when it is used. */
function noteSteady(steady: Set<number>, health: Health, limits: SettleLimits): void {
  if (isSteady(health, limits)) {
    steady.add(health.subscriptionId);
  } else {
    steady.delete(health.subscriptionId);
  }
}

function toResult(
  { settlements }: Batch,
  settled: readonly StoredResult[],
  due: DueDeliveries,
  circuits: SettleResult["circuits"] = { opened: [], closed: [] },
): SettleResult {
  const generations = new Map(settled.map((row) => [row.id, row.generation]));
  const isAccepted = (one: Settlement) => generations.get(one.deliveryId) === one.generation;
  return { accepted: settlements.map(isAccepted), ...due, circuits };
}

/** The health of each subscription before and after the batch. */
function updateHealth(
  locked: Map<number, Health>,
  { seen }: Batch,
  limits: SettleLimits,
): HealthChange[] {
  const after = (before: Health) =>
    nextHealth(before, seen.get(before.subscriptionId) ?? emptyBatchOutcome, limits, limits.now);
  return [...locked.values()].map((before) => ({ before, after: after(before) }));
}

/** Subscriptions whose circuit opened or closed. */
function circuitsOf(healthChanges: readonly HealthChange[]): SettleResult["circuits"] {
  const wereOpen = (isOpen: boolean) => (one: HealthChange) =>
    (one.before.probeAt !== null) === isOpen && (one.after.probeAt === null) === isOpen;
  const idsOf = (some: readonly HealthChange[]) => some.map(({ after }) => after.subscriptionId);
  return {
    opened: idsOf(healthChanges.filter(wereOpen(false))),
    closed: idsOf(healthChanges.filter(wereOpen(true))),
  };
}

/**
 * Subscriptions that were throttled or whose circuit just opened: their queued deliveries are
 * requeued.
 */
function suspendedSubscriptions(
  settlements: readonly Settlement[],
  opened: readonly number[],
): number[] {
  const throttled = settlements
    .filter((one) => one.throttleMs > 0)
    .map((one) => one.subscriptionId);
  return [...new Set([...throttled, ...opened])];
}
