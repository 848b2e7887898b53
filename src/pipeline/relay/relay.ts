/**
 * In: wake-ups and the passing of time. Out: outbox rows fanned out, batch after batch.
 * Guarantee: an event stays in the outbox until its deliveries are committed.
 * On crash: another relay, or the next start, goes on with the same rows.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import { createAlarm } from "../../platform/alarm.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { FaultPoint } from "../../platform/fault-point.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Dispatcher } from "../ledger/dispatch.ts";
import { fanOut } from "./fan-out.ts";
import { setAside } from "./poison.ts";
import { createSubscriptionSet } from "./subscription-set.ts";

export type RelayDeps = {
  db: Db;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  log: Logger;
  /** Wakes the relay before its next poll is due. */
  onWake: (wake: () => void) => void;
  faultPoint: FaultPoint;
  onEvents: (objects: readonly ObjectKind[]) => void;
};

export type Relay = {
  /** Fans out one batch. Returns how many events left the outbox. */
  runOnce(): Promise<number>;
  /** Runs until stopped; a stop waits for the batch under way. */
  run(signal: AbortSignal): Promise<void>;
};

const batchSize = 500;
const shortestIdleMs = 20;
const longestIdleMs = 500;
const brokenIdleMs = 500;

/** Failures of the same batch in a row after which its rows are looked at one by one. */
const patience = 3;

/** Class 08, 53 and 57 are the server's troubles; without a code it is the connection's. */
const isDataFault = (error: Error & { code?: unknown }): boolean =>
  error instanceof TypeError || (typeof error.code === "string" && /^(22|23|42)/u.test(error.code));

type RunBatch = (limit: number) => Promise<number>;

const createBatch = (deps: RelayDeps): RunBatch => {
  const { db, dispatcher } = deps;
  const subscriptions = createSubscriptionSet();
  return async (limit) => {
    const { events, handedOut } = await fanOut(db, subscriptions, limit, dispatcher.limits());
    if (handedOut.length > 0) {
      deps.faultPoint("relay.afterCommit");
    }
    await dispatcher.dispatch(handedOut);
    deps.onEvents((events ?? []).map((event) => event.object));
    return events?.length ?? 0;
  };
};

/** One row at a time; the one that fails is set aside, so that it does not stop those behind it. */
const runOneByOne = async (runBatch: RunBatch, { db, log }: RelayDeps): Promise<number> => {
  for (let count = 0; count < batchSize; count += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one at a time finds the one that fails
      if ((await runBatch(1)) === 0) {
        return count;
      }
    } catch (thrown) {
      const error = toError(thrown);
      if (!isDataFault(error)) {
        throw error;
      }
      // oxlint-disable-next-line no-await-in-loop -- rare
      const eventId = await setAside(db, error.message);
      log.error({ eventId, reason: error.message }, "relay.event_set_aside");
    }
  }
  return batchSize;
};

const createRunOnce = (deps: RelayDeps): (() => Promise<number>) => {
  const runBatch = createBatch(deps);
  let failures = 0;
  return async () => {
    try {
      const isStuck = failures >= patience;
      const count = await (isStuck ? runOneByOne(runBatch, deps) : runBatch(batchSize));
      failures = 0;
      return count;
    } catch (thrown) {
      failures += isDataFault(toError(thrown)) ? 1 : 0;
      throw thrown;
    }
  };
};

export const createRelay = (deps: RelayDeps): Relay => {
  const alarm = createAlarm();
  const runOnce = createRunOnce(deps);

  /** Returns how long the next idle wait may be: it doubles while nothing comes. */
  const step = async (idleMs: number, signal: AbortSignal): Promise<number> => {
    try {
      if ((await runOnce()) > 0) {
        return shortestIdleMs;
      }
    } catch (thrown) {
      deps.log.warn({ reason: toError(thrown).message }, "relay.batch_failed");
      await alarm.wait(brokenIdleMs, signal);
      return idleMs;
    }
    await alarm.wait(idleMs, signal);
    return Math.min(idleMs * 2, longestIdleMs);
  };

  return {
    runOnce,
    run: async (signal) => {
      deps.onWake(alarm.ring);
      let idleMs = shortestIdleMs;
      while (!signal.aborted) {
        // oxlint-disable-next-line no-await-in-loop -- batches follow each other by design
        idleMs = await step(idleMs, signal);
      }
    },
  };
};
