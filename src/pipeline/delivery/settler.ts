import type { ObjectKind } from "../../contracts/events.ts";
import type { FaultPoint } from "../../contracts/fault-points.ts";
import { coalesce } from "../../platform/concurrency/async.ts";
import { mapInOrder, retry } from "../../platform/concurrency/queues.ts";
import { isDataFault, isProgramFault } from "../../platform/db/errors.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { ClaimedDelivery } from "../ledger/claim.ts";
import type { Dispatcher } from "../ledger/dispatcher.ts";
import type { DueDeliveries, EnqueuedDelivery, FreeSlots } from "../ledger/enqueue-due.ts";
import type { DrainPace } from "../ledger/next-health.ts";
import type { WriteNotices } from "../ledger/notices.ts";
import type { Settlement } from "../ledger/record-results.ts";
import { isUrgent, settleAgain, settleAttempts, type SettleResult } from "../ledger/settle.ts";

export type SettlerDeps = {
  db: Db;
  writeNotices: WriteNotices;
  /** How fast backlogs may drain now. */
  pace: () => DrainPace;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  /** Free slots beside those that the results free; undefined if jobs wait for all of them. */
  freeSlots: (object: ObjectKind) => number | undefined;
  /** Sends a delivery that was claimed for a free slot. */
  send: (delivery: ClaimedDelivery) => void;
  /** How many results were stored, and how many deliveries these let go. */
  onSettled: (results: number, due: number) => void;
  log: Logger;
  faultPoint: FaultPoint;
  /** Program faults are retried until the lease ends, outages without limit. */
  leaseMs: number;
  /** Ends the retries when the grace period is over. */
  signal: AbortSignal;
};

export type Settler = {
  /**
   * Returns whether each result was accepted; false if the worker lost its claim. Does not wait for
   * the jobs of what the results let go.
   */
  settle(settlements: readonly Settlement[]): Promise<boolean[]>;
  /** Whether the result should be stored at once. */
  isUrgent(settlement: Settlement): boolean;
  /** Waits until the jobs of what the results let go are in the queue, or their deliveries due again. */
  untilDispatched(): Promise<void>;
};

const minPauseMs = 50;

const maxPauseMs = 1_000;

/**
 * Stores results, with retries during an outage of Postgres: they exist nowhere else, and a lost
 * result means sending again. A late result is harmless, because the ledger refuses a lost claim. A
 * value that Postgres refuses costs only its own record.
 */
export function createSettler(deps: SettlerDeps): Settler {
  const { dispatcher, log, signal } = deps;
  const jobs = createJobDispatch(dispatcher);
  const sendDue = ({ enqueued, claimed }: DueDeliveries): void => {
    claimed.forEach(deps.send);
    jobs.add(enqueued);
  };
  const { db, writeNotices } = deps;
  const ledger = { db, writeNotices, steady: new Set<number>(), dueSeen: new Map(), sendDue };

  const write = async (
    settlements: readonly Settlement[],
    store: typeof settleAttempts,
  ): Promise<boolean[]> => {
    const { accepted, circuits, ...due } = await store(ledger, settlements, {
      pace: deps.pace(),
      leaseMs: deps.leaseMs,
      ...dispatcher.limits(),
      ...freedSlots(settlements, deps.freeSlots),
    });
    deps.faultPoint("delivery.afterSettle");
    logCircuits(log, circuits);
    deps.onSettled(settlements.length, due.enqueued.length + due.claimed.length);
    sendDue(due);
    return accepted;
  };

  const writeWithRetry = (settlements: readonly Settlement[]): Promise<boolean[]> => {
    const deadline = Date.now() + deps.leaseMs;
    const store = createStore();
    return retry(() => write(settlements, store), {
      minPauseMs,
      maxPauseMs,
      signal,
      isFinal: (error, pauseMs) => {
        log.warn({ results: settlements.length, reason: error.message }, "settle.failed");
        return isDataFault(error) || (isProgramFault(error) && Date.now() + pauseMs > deadline);
      },
    });
  };

  return {
    settle: async (settlements) => {
      try {
        return await writeWithRetry(settlements);
      } catch (thrown) {
        if (!isDataFault(toError(thrown))) {
          throw thrown;
        }
        // One at a time finds the one that is refused.
        return mapInOrder(settlements, createWriteOne(writeWithRetry, log));
      }
    },
    isUrgent: (settlement) =>
      isUrgent(ledger, settlement, { pace: deps.pace(), ...dispatcher.limits() }),
    untilDispatched: jobs.untilAdded,
  };
}

/** Stores a batch; when it is called again, after a failure, as a repetition. */
function createStore(): typeof settleAttempts {
  let isRepeated = false;
  return (...batch) => {
    const store = isRepeated ? settleAgain : settleAttempts;
    isRepeated = true;
    return store(...batch);
  };
}

function logCircuits(log: Logger, { opened, closed }: SettleResult["circuits"]): void {
  for (const subscription_id of opened) {
    log.warn({ subscription_id }, "subscription.circuit_opened");
  }
  for (const subscription_id of closed) {
    log.info({ subscription_id }, "subscription.circuit_closed");
  }
}

/**
 * Adds jobs beside what follows: a queue that hangs takes seconds, in which no slot would be free and
 * no result stored. One call at a time, in order; what comes meanwhile shares the next one.
 */
function createJobDispatch({ dispatch }: Pick<Dispatcher, "dispatch">) {
  let waiting: EnqueuedDelivery[] = [];
  let added: Promise<void> | undefined;
  const dispatchWaiting = coalesce(async () => {
    const jobs = waiting;
    waiting = [];
    await dispatch(jobs);
  });
  return {
    add: (jobs: readonly EnqueuedDelivery[]): void => {
      if (jobs.length > 0) {
        waiting.push(...jobs);
        added = dispatchWaiting();
      }
    },
    untilAdded: async (): Promise<void> => added,
  };
}

/**
 * The slots of the results and those that are free already, unless jobs of their kind wait for them.
 * Each subscription may take as many as it frees, and its part of the others.
 */
function freedSlots(
  settlements: readonly Settlement[],
  freeSlots: (object: ObjectKind) => number | undefined,
): Pick<FreeSlots, "slots" | "shares" | "each"> {
  const slots: FreeSlots["slots"] = {};
  const shares: Record<number, number> = {};
  const add = (id: number, count: number): void => {
    shares[id] = (shares[id] ?? 0) + count;
  };
  for (const object of new Set(settlements.map((one) => one.object))) {
    const free = freeSlots(object);
    if (free !== undefined) {
      const some = settlements.filter((one) => one.object === object);
      const ids = new Set(some.map((one) => one.subscriptionId));
      slots[object] = free + some.length;
      some.forEach((one) => add(one.subscriptionId, 1));
      ids.forEach((id) => add(id, Math.ceil(free / ids.size)));
    }
  }
  return { slots, shares, each: 0 };
}

/** Drops the answer of the receiver if Postgres refuses it, and else the result. */
function createWriteOne(
  write: Settler["settle"],
  log: Logger,
): (settlement: Settlement) => Promise<boolean> {
  /** Undefined if Postgres refuses a value. */
  const tryOne = async (settlement: Settlement): Promise<boolean | undefined> => {
    try {
      return (await write([settlement]))[0] === true;
    } catch (thrown) {
      const { deliveryId } = settlement;
      log.error({ deliveryId, reason: toError(thrown).message }, "settle.refused");
      return isDataFault(toError(thrown)) ? undefined : false;
    }
  };
  return async (settlement) =>
    (await tryOne(settlement)) ?? (await tryOne(withoutAnswer(settlement))) ?? false;
}

/** Removes the parts that the receiver controls. */
function withoutAnswer(settlement: Settlement): Settlement {
  return {
    ...settlement,
    record: { ...settlement.record, responseHeaders: null, responseBody: null },
  };
}
