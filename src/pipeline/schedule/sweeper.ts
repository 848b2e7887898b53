/**
 * In: deliveries in flight. Out: those that lost their job or worker, due again.
 * Guarantee: nothing stays `queued` or `sending` forever, whatever crashes; the raised generation
 * refuses late jobs and workers.
 * On crash: the next pass, here or in another process, does the same.
 */
import { objectKinds, type ObjectKind } from "../../contracts/events.ts";
import type { Clock } from "../../platform/clock.ts";
import { createOutageWatch } from "../../platform/db/outages.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import { expireLeases, listObjectsWithOldJobs, requeueLost } from "../ledger/requeue.ts";

/** What was lost: all jobs of a queue, one job, or a worker with its lease. */
export type SweepReason = "epoch" | "job" | "lease";

export type SweeperDeps = {
  db: Db;
  queue: Pick<JobQueue, "oldestWaiting" | "hasLostMemory" | "markEpoch">;
  clock: Clock;
  log: Logger;
  onSwept: (reason: SweepReason, count: number) => void;
};

/** A delivery that is older than the oldest waiting job by this time has lost its job. */
const jobGraceMs = 5_000;

export type Sweeper = {
  /**
   * One pass. Rejects if Postgres is unavailable; an unavailable queue is left for a later pass.
   */
  sweep(): Promise<void>;
};

export function createSweeper(deps: SweeperDeps): Sweeper {
  const outages = createOutageWatch(deps.clock);

  const sweepOneQueue = async (object: ObjectKind, isSuspect: boolean): Promise<void> => {
    try {
      await sweepQueue(deps, object, { isSuspect, isSettled: outages.isSettled() });
    } catch (thrown) {
      deps.log.debug({ object, reason: toError(thrown).message }, "sweep.queue_not_swept");
    }
  };

  return {
    sweep: async () => {
      const lostBefore = jobsLostBefore(deps.clock.now());
      const suspects = await outages.observe(() => listObjectsWithOldJobs(deps.db, lostBefore));
      if (outages.isSettled()) {
        await outages.observe(() => sweepLeases(deps));
      }
      // In parallel: unavailable queues cost one time-out, not five.
      await Promise.all(objectKinds.map((object) => sweepOneQueue(object, suspects.has(object))));
    },
  };
}

/** Only a delivery that was queued before this time may have lost its job. */
function jobsLostBefore(now: Date): Date {
  return new Date(now.getTime() - jobGraceMs);
}

/** The queue is polled outside of any transaction: none is held during a call to Redis. */
async function sweepQueue(
  deps: SweeperDeps,
  object: ObjectKind,
  { isSuspect, isSettled }: { isSuspect: boolean; isSettled: boolean },
): Promise<void> {
  const { db, queue, log, onSwept } = deps;
  // Read before the queue is polled: a job added after that is younger than this.
  const now = deps.clock.now();
  const reserved = isSettled ? now : new Date(0);
  if (await queue.hasLostMemory(object)) {
    const count = await requeueLost(db, object, { now, queued: now, reserved });
    // Marked last: a crash before it only repeats the harmless step above.
    await queue.markEpoch(object);
    log.info({ object, deliveries: count }, "sweep.queue_is_new");
    onSwept("epoch", count);
    return;
  }
  if (!isSuspect) {
    return;
  }
  const oldest = await queue.oldestWaiting(object);
  const horizon = Math.min(now.getTime(), oldest?.getTime() ?? Infinity) - jobGraceMs;
  const count = await requeueLost(db, object, { now, queued: new Date(horizon), reserved });
  if (count > 0) {
    log.warn({ object, deliveries: count }, "sweep.jobs_lost");
    onSwept("job", count);
  }
}

async function sweepLeases({ db, clock, log, onSwept }: SweeperDeps): Promise<void> {
  const count = await expireLeases(db, clock.now());
  if (count > 0) {
    log.warn({ deliveries: count }, "sweep.leases_expired");
    onSwept("lease", count);
  }
}
