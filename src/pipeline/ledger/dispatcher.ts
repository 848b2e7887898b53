/**
 * In: deliveries that were just marked `queued`. Out: their jobs in the queue.
 * Guarantee: deliveries whose jobs cannot be added are requeued at once, so the backlog waits in
 * Postgres.
 * On crash: the rows stay `queued` without a job until the sweeper finds them.
 */
import { type ObjectKind, objectKinds } from "../../contracts/events.ts";
import { shareJobs, type DeliverJob } from "../../contracts/jobs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import type { EnqueuedDelivery, EnqueueLimits } from "./enqueue-due.ts";
import { requeue } from "./requeue.ts";
import { reservedMs } from "./reservation.ts";
import { withDeadline } from "../../platform/concurrency/async.ts";
import { inChunks, mapInOrder, repeat } from "../../platform/concurrency/queues.ts";

export type Dispatcher = {
  /** The current enqueue limits, from the last poll of the queues. Never waits. */
  limits(): EnqueueLimits;
  /**
   * Adds the jobs. Never rejects: an unavailable queue is closed, and its deliveries are requeued.
   */
  dispatch(enqueued: readonly EnqueuedDelivery[]): Promise<void>;
  /** Polls the queues for their availability and length. */
  refreshQueues(): Promise<void>;
  /** Polls until every queue accepts jobs, for at most two seconds. */
  untilOpen(signal: AbortSignal): Promise<void>;
  /** Polls the queues until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
};

export type DispatcherDeps = {
  db: Db;
  queue: Pick<JobQueue, "add" | "counts">;
  clock: Clock;
  log: Logger;
  /** Above this many waiting jobs, a queue gets no more. */
  highWater: number;
  maxInFlight: number;
};

/** Which queues accept jobs: those that are available and below the high-water mark. */
export type QueueCapacity = {
  /** Queues that did not accept jobs at the last poll. */
  closed(): ObjectKind[];
  /** Closes a queue until its next poll. */
  close(object: ObjectKind): void;
  /** Jobs are being added to this queue. */
  markGrown(object: ObjectKind): void;
  /** Polls all queues. */
  refresh(): Promise<void>;
  /** Polls until every queue accepts jobs, for at most two seconds. */
  untilOpen(signal: AbortSignal): Promise<void>;
  /** Polls the queues until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
};

export type QueueCapacityDeps = {
  queue: Pick<JobQueue, "counts">;
  /** Above this many waiting jobs, a queue gets no more. */
  highWater: number;
};

/** Large enough to amortize a call, small enough to keep it short. */
const maxJobsPerAdd = 500;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { db, queue, clock, log } = deps;
  const capacity = createQueueCapacity(deps);

  const requeueJobs = async (
    enqueued: readonly EnqueuedDelivery[],
    reason: Error,
  ): Promise<void> => {
    log.warn({ jobs: enqueued.length, reason: reason.message }, "jobs.not_added");
    try {
      await inTransaction(db, (trx) => requeue(trx, enqueued));
    } catch (thrown) {
      // The sweeper will find them.
      log.warn({ jobs: enqueued.length, reason: toError(thrown).message }, "jobs.not_requeued");
    }
  };

  const add = async (object: ObjectKind, enqueued: readonly EnqueuedDelivery[]): Promise<void> => {
    const jobs = shareJobs(enqueued.map(toJob));
    capacity.markGrown(object);
    try {
      await queue.add(object, jobs, clock.now());
    } catch (thrown) {
      capacity.close(object);
      await requeueJobs(enqueued, toError(thrown));
    }
  };

  return {
    limits: () => ({
      now: clock.now(),
      closed: capacity.closed(),
      maxInFlight: deps.maxInFlight,
      mayProbe: false,
      reservedMs,
    }),
    // In order: the jobs of an object kind keep theirs.
    dispatch: async (enqueued) => {
      await mapInOrder(toChunks(enqueued), ({ object, chunk }) => add(object, chunk));
    },
    refreshQueues: capacity.refresh,
    untilOpen: capacity.untilOpen,
    run: capacity.run,
  };
}

/** Poll interval of queues that are closed or have new jobs. */
const refreshIntervalMs = 500;

/** How long, and how often, a process that starts waits for its first connection to the queues. */
const openWaitMs = 2_000;

const openPollMs = 25;

/** Poll interval of all queues: without new jobs from this process a queue fills more slowly. */
const fullRefreshIntervalMs = 5_000;

export function createQueueCapacity({ queue, highWater }: QueueCapacityDeps): QueueCapacity {
  // Closed until the first poll: no jobs go to a queue that is away.
  const closed = new Set<ObjectKind>(objectKinds);
  /** Queues with jobs added since their last poll. */
  const grown = new Set<ObjectKind>();

  const poll = async (object: ObjectKind): Promise<void> => {
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

  const pollSome = async (objects: readonly ObjectKind[]): Promise<void> => {
    await Promise.all(objects.map(poll));
  };

  return {
    closed: () => [...closed],
    close: (object) => closed.add(object),
    markGrown: (object) => grown.add(object),
    refresh: () => pollSome(objectKinds),
    untilOpen: (signal) =>
      withDeadline(signal, openWaitMs, async (limited) => {
        const ends = new AbortController();
        const end = (): void => ends.abort();
        const pollClosed = async (): Promise<void> => {
          await pollSome([...closed]);
          if (closed.size === 0) {
            end();
          }
        };
        limited.addEventListener("abort", end);
        if (limited.aborted) {
          end();
        }
        // A queue that hangs answers after several seconds: its poll continues alone.
        const ended = new Promise((resolve) => ends.signal.addEventListener("abort", resolve));
        await Promise.race([repeat(pollClosed, openPollMs, ends.signal), ended]);
      }),
    run: async (signal) => {
      let nextPollOfAll = 0;
      const pollDue = (): Promise<void> => {
        const isTimeForAll = performance.now() >= nextPollOfAll;
        if (isTimeForAll) {
          nextPollOfAll = performance.now() + fullRefreshIntervalMs;
        }
        return pollSome(isTimeForAll ? objectKinds : [...new Set([...closed, ...grown])]);
      };
      await repeat(pollDue, refreshIntervalMs, signal);
    },
  };
}

function toJob(enqueued: EnqueuedDelivery): DeliverJob {
  const { deliveryId, generation, fresh, subscriptionId } = enqueued;
  return Object.assign(
    { deliveryId, generation },
    fresh === undefined ? {} : { fresh },
    subscriptionId === undefined ? {} : { subscriptionId },
  );
}

type JobChunk = { object: ObjectKind; chunk: EnqueuedDelivery[] };

function toChunks(enqueued: readonly EnqueuedDelivery[]): JobChunk[] {
  return [...byObject(enqueued)].flatMap(([object, group]) =>
    inChunks(group, maxJobsPerAdd).map((chunk) => ({ object, chunk })),
  );
}

function byObject(enqueued: readonly EnqueuedDelivery[]): Map<ObjectKind, EnqueuedDelivery[]> {
  const groups = new Map<ObjectKind, EnqueuedDelivery[]>();
  for (const delivery of enqueued) {
    const group = groups.get(delivery.object) ?? [];
    group.push(delivery);
    groups.set(delivery.object, group);
  }
  return groups;
}
