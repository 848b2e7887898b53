/**
 * In: deliveries that the ledger just marked `queued`. Out: their hints in the queue.
 * Guarantee: what cannot be added is due again at once, so the backlog waits in Postgres.
 * On crash: the rows stay `queued` without a hint until the sweeper finds them.
 */
import { type ObjectKind, objectKinds } from "../../contracts/events.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import type { EnqueuedDelivery, EnqueueLimits } from "./enqueue-due.ts";
import { requeue } from "./requeue.ts";
import { sleep } from "../../platform/concurrency/sleep.ts";

export type Dispatcher = {
  /** What a hand-out may take now. Never waits: it tells what the last look at the queues saw. */
  limits(): EnqueueLimits;
  /** Adds the hints. Never rejects: a queue that is away is closed, and the rows are due again. */
  dispatch(enqueued: readonly EnqueuedDelivery[]): Promise<void>;
  /** Looks at the queues: which are within the bound, which are away. */
  refreshQueues(): Promise<void>;
  /** Looks again and again until the signal fires. */
  run(signal: AbortSignal): Promise<void>;
};

export type DispatcherDeps = {
  db: Db;
  queue: Pick<JobQueue, "add" | "counts">;
  clock: Clock;
  log: Logger;
  /** Waiting hints of one queue above which nothing is added. */
  highWater: number;
  maxInFlight: number;
};

/** Which queues take hints: those that answer, and in which few enough wait. */
export type QueueCapacity = {
  /** The queues that take nothing, as the last look at them saw it. */
  closed(): ObjectKind[];
  /** Takes nothing until it is looked at again. */
  close(object: ObjectKind): void;
  /** Hints are being added to it. */
  markGrown(object: ObjectKind): void;
  /** Looks at all of them. */
  refresh(): Promise<void>;
  /** Looks again and again until the signal fires. */
  run(signal: AbortSignal): Promise<void>;
};

export type QueueCapacityDeps = {
  queue: Pick<JobQueue, "counts">;
  /** Waiting hints of one queue above which nothing is added. */
  highWater: number;
};

/** One call's worth of hints: large enough to spread its cost, small enough to stay quick. */
const maxJobsPerAdd = 500;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { db, queue, clock, log } = deps;
  const capacity = createQueueCapacity(deps);

  const requeueJobs = async (hints: readonly EnqueuedDelivery[], reason: Error): Promise<void> => {
    log.warn({ jobs: hints.length, reason: reason.message }, "jobs.not_added");
    try {
      await inTransaction(db, (trx) => requeue(trx, hints));
    } catch (thrown) {
      // The sweeper will find them.
      log.warn({ jobs: hints.length, reason: toError(thrown).message }, "jobs.not_requeued");
    }
  };

  const add = async (object: ObjectKind, hints: readonly EnqueuedDelivery[]): Promise<void> => {
    const jobs = hints.map(({ deliveryId, generation }) => ({ deliveryId, generation }));
    capacity.markGrown(object);
    try {
      await queue.add(object, jobs, clock.now());
    } catch (thrown) {
      capacity.close(object);
      await requeueJobs(hints, toError(thrown));
    }
  };

  return {
    limits: () => ({
      now: clock.now(),
      closed: capacity.closed(),
      maxInFlight: deps.maxInFlight,
      mayProbe: false,
    }),
    dispatch: async (enqueued) => {
      for (const [object, hints] of byObject(enqueued)) {
        for (const chunk of inChunks(hints, maxJobsPerAdd)) {
          // oxlint-disable-next-line no-await-in-loop -- order: an object's hints keep theirs
          await add(object, chunk);
        }
      }
    },
    refreshQueues: capacity.refresh,
    run: capacity.run,
  };
}

/** Between looks at queues that are closed, or that hints were added to since. */
const refreshIntervalMs = 500;

/** Between looks at all: only what this process adds fills a queue in less time. */
const fullRefreshIntervalMs = 5_000;

export function createQueueCapacity({ queue, highWater }: QueueCapacityDeps): QueueCapacity {
  // Closed until the first look, so that a queue that is away is never filled blindly.
  const closed = new Set<ObjectKind>(objectKinds);
  /** Queues that hints were added to since they were looked at. */
  const grown = new Set<ObjectKind>();

  const lookAt = async (object: ObjectKind): Promise<void> => {
    grown.delete(object);
    try {
      const { waiting } = await queue.counts(object);
      if (waiting < highWater) {
        closed.delete(object);
      } else {
        closed.add(object);
      }
    } catch {
      closed.add(object);
    }
  };

  const lookAtSome = async (objects: readonly ObjectKind[]): Promise<void> => {
    await Promise.all(objects.map(lookAt));
  };

  return {
    closed: () => [...closed],
    close: (object) => closed.add(object),
    markGrown: (object) => grown.add(object),
    refresh: () => lookAtSome(objectKinds),
    run: async (signal) => {
      let nextLookAtAll = 0;
      while (!signal.aborted) {
        const isTimeForAll = performance.now() >= nextLookAtAll;
        if (isTimeForAll) {
          nextLookAtAll = performance.now() + fullRefreshIntervalMs;
        }
        // oxlint-disable-next-line no-await-in-loop -- a loop over time
        await lookAtSome(isTimeForAll ? objectKinds : [...new Set([...closed, ...grown])]);
        // oxlint-disable-next-line no-await-in-loop -- a loop over time
        await sleep(refreshIntervalMs, signal);
      }
    },
  };
}

function byObject(enqueued: readonly EnqueuedDelivery[]): Map<ObjectKind, EnqueuedDelivery[]> {
  const groups = new Map<ObjectKind, EnqueuedDelivery[]>();
  for (const hint of enqueued) {
    const group = groups.get(hint.object) ?? [];
    group.push(hint);
    groups.set(hint.object, group);
  }
  return groups;
}

function inChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
