/**
 * In: time. Out: due deliveries, enqueued within the concurrency windows.
 * Guarantee: a due delivery of an active subscription is enqueued if its window has capacity, even
 * without a settlement: eight at once, then four per pass, or what its rate limit allows. Open circuits
 * are probed, a few at a time.
 * On crash: the next pass sees the same rows.
 */
import type { Db } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Dispatcher } from "../ledger/dispatcher.ts";
import {
  listDueProbes,
  listDueSubscriptions,
  type DueProbe,
  type DueSubscription,
} from "../ledger/due-subscriptions.ts";
import { enqueueDue } from "../ledger/enqueue-due.ts";
import { lockHealth } from "../ledger/health.ts";

export type DueDeps = {
  db: Db;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  /** Maximum probes of open circuits in flight, of all subscriptions together. */
  maxProbes: number;
};

/** Subscriptions locked at once: few, so that the relay and the workers hardly wait. */
const chunkSize = 50;

/**
 * How far a pass looks ahead: it runs again when the next delivery is due, or after this time. Not
 * longer than a token bucket lasts, or tokens would be lost.
 */
export const lookAheadMs = 500;

export type DuePass = {
  enqueued: number;
  /** Milliseconds until the next enqueue, as far as known. */
  nextInMs: number;
};

/** Enqueues everything that is due. */
export async function runDuePass(deps: DueDeps): Promise<DuePass> {
  const { now } = deps.dispatcher.limits();
  const isDue = ({ at }: DueSubscription): boolean => at <= now;
  const until = new Date(now.getTime() + lookAheadMs);
  const [open, closed] = await Promise.all([
    listDueProbes(deps.db, until),
    listDueSubscriptions(deps.db, until),
  ]);
  let enqueued = await enqueueProbes(deps, open.filter(isDue));
  const ids = closed.filter(isDue).map((row) => row.id);
  for (let start = 0; start < ids.length; start += chunkSize) {
    // oxlint-disable-next-line no-await-in-loop -- one lock set after the other
    enqueued += await enqueueFor(deps, ids.slice(start, start + chunkSize));
  }
  return { enqueued, nextInMs: nextDelayMs([...open, ...closed], now) };
}

/**
 * Limits the probes of all open circuits together: a thousand unavailable receivers must not fill
 * the workers with hanging requests. A circuit that cannot be probed now, because its queue is
 * closed or its rate is used up, is skipped.
 */
async function enqueueProbes(deps: DueDeps, due: readonly DueProbe[]): Promise<number> {
  const room = deps.maxProbes - (due[0]?.probing ?? 0);
  let [count, start] = [0, 0];
  while (count < room && start < due.length) {
    const some = due.slice(start, start + Math.min(chunkSize, room - count));
    start += some.length;
    // oxlint-disable-next-line no-await-in-loop -- how many are left to try depends on it
    count += await enqueueFor(
      deps,
      some.map(({ id }) => id),
    );
  }
  return count;
}

/** Enqueues due deliveries of these subscriptions within their windows. Returns how many. */
async function enqueueFor(
  { db, dispatcher }: DueDeps,
  subscriptionIds: readonly number[],
): Promise<number> {
  const enqueued = await inTransaction(db, async (trx) => {
    await lockHealth(trx, subscriptionIds);
    return enqueueDue(trx, subscriptionIds, { ...dispatcher.limits(), mayProbe: true });
  });
  await dispatcher.dispatch(enqueued);
  return enqueued.length;
}

/** Retries of several receivers that are due close to each other are enqueued together. */
const minDelayMs = 50;

/** Poll interval for due deliveries that wait for capacity. */
const capacityRetryMs = 250;

function nextDelayMs(all: readonly DueSubscription[], now: Date): number {
  const waits = all.map(({ at }) => at.getTime() - now.getTime());
  const pauses = waits.map((waitMs) =>
    waitMs <= 0 ? capacityRetryMs : Math.max(waitMs, minDelayMs),
  );
  return pauses.reduce((least, pauseMs) => Math.min(least, pauseMs), lookAheadMs);
}
