/**
 * In: time. Out: jobs of due tasks; lost tasks due again; metrics; old rows deleted.
 * Guarantee: no task waits forever, whatever crashes: the queue, a worker, or this process between
 * any two statements. Safe in several processes.
 * On crash: the next pass does the same.
 */
import { taskQueueNames, type TaskQueueName } from "../../contracts/jobs.ts";
import type { Clock } from "../clock.ts";
import { createOutageWatch, type OutageWatch } from "../db/outages.ts";
import type { Db } from "../db/pool.ts";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { TaskJobQueue } from "../queue/job-queue.ts";
import { taskQueueLimits } from "./task.ts";
import {
  requeueLost,
  deleteEnded,
  expireLeases,
  enqueueDue,
  listDueQueues,
  listQueuesToSweep,
  readTaskQueue,
  requeue,
} from "./store.ts";

export type TaskSchedulerDeps = {
  db: Db;
  queue: Pick<TaskJobQueue, "add" | "counts" | "oldestWaiting">;
  clock: Clock;
  log: Logger;
  metrics: Pick<Metrics, "tasks" | "taskOldestDue" | "taskRequeued">;
};

/** How far a pass looks ahead: it runs again when the next task is due, or after this long. */
const lookAheadMs = 1_000;

export type DueTasksPass = {
  enqueued: number;
  /** Milliseconds until the next enqueue, as far as known. */
  nextInMs: number;
};

/** A job counts as lost if its task is older than the oldest waiting job by this time. */
const jobGraceMs = 10_000;

/**
 * Periodic work, with a maximum interval. `isWoken`: also runs at once when a task is due. A run may ask
 * for an earlier next one.
 */
export type TaskPass = {
  name: string;
  everyMs: number;
  isWoken: boolean;
  run: (again: (inMs: number) => void) => Promise<unknown>;
};

export function taskPasses(deps: TaskSchedulerDeps): TaskPass[] {
  const outages = createOutageWatch(deps.clock);
  return [
    {
      name: "due-tasks",
      everyMs: lookAheadMs,
      isWoken: true,
      run: async (again) => again((await enqueueDueTasks(deps)).nextInMs),
    },
    { name: "sweep-tasks", everyMs: 1_000, isWoken: false, run: () => sweepTasks(deps, outages) },
    { name: "task-gauges", everyMs: 15_000, isWoken: false, run: () => updateTaskGauges(deps) },
    { name: "old-tasks", everyMs: 300_000, isWoken: false, run: () => deleteOldTasks(deps) },
  ];
}

/** Tasks that are due close to each other are enqueued together. */
const shortestMs = 50;

/** Poll interval while a queue is full or unavailable. */
const waitForRoomMs = 250;

/** One pass over due tasks. An unavailable queue is left for a later pass. */
export async function enqueueDueTasks(deps: TaskSchedulerDeps): Promise<DueTasksPass> {
  const nowMs = deps.clock.now().getTime();
  const seen = await listDueQueues(deps.db, taskQueueNames, new Date(nowMs + lookAheadMs));
  const queueNames = seen.map(({ queueName, dueAt }) => ({
    queueName,
    waitMs: dueAt.getTime() - nowMs,
  }));
  const counts = await Promise.all(
    queueNames
      .filter(({ waitMs }) => waitMs <= 0)
      .map(async ({ queueName }) =>
        enqueueTaskQueue(deps, queueName).catch((thrown: unknown) => {
          deps.log.debug(
            { queue: queueName, reason: toError(thrown).message },
            "tasks.not_enqueued",
          );
          return 0;
        }),
      ),
  );
  const waits = queueNames.map(({ waitMs }) =>
    waitMs <= 0 ? waitForRoomMs : Math.max(waitMs, shortestMs),
  );
  return {
    enqueued: counts.reduce((sum, count) => sum + count, 0),
    nextInMs: Math.min(lookAheadMs, ...waits),
  };
}

/**
 * The rows are committed as `queued` before their jobs are added: an earlier job would find nothing
 * to claim. After a crash between the two the sweeper requeues the rows.
 */
async function enqueueTaskQueue(
  deps: TaskSchedulerDeps,
  queueName: TaskQueueName,
): Promise<number> {
  const { db, queue, clock, log } = deps;
  const { waiting } = await queue.counts(queueName);
  const limit = taskQueueLimits[queueName].highWater - waiting;
  if (limit <= 0) {
    return 0;
  }
  const now = clock.now();
  const taskJobs = await enqueueDue(db, { queueName, now, limit });
  try {
    await queue.add(queueName, taskJobs, now);
  } catch (thrown) {
    log.warn(
      { queue: queueName, jobs: taskJobs.length, reason: toError(thrown).message },
      "tasks.not_added",
    );
    await requeue(db, taskJobs);
    return 0;
  }
  return taskJobs.length;
}

/**
 * Requeues tasks that lost their job or their worker. Leases end only once Postgres has answered for
 * a while: a worker that could not renew its lease may still run the task.
 */
export async function sweepTasks(deps: TaskSchedulerDeps, outages: OutageWatch): Promise<void> {
  const now = deps.clock.now();
  const queuedBefore = new Date(now.getTime() - jobGraceMs);
  const queueNames = await outages.observe(() =>
    listQueuesToSweep(deps.db, taskQueueNames, { now, queuedBefore }),
  );
  await Promise.all(queueNames.map((queueName) => sweepTaskQueue(deps, queueName, outages)));
}

async function sweepTaskQueue(
  deps: TaskSchedulerDeps,
  queueName: TaskQueueName,
  outages: OutageWatch,
): Promise<void> {
  const { db, clock, log, metrics } = deps;
  const report = (reason: "job" | "lease", tasks: number): void => {
    if (tasks > 0) {
      log.warn({ queue: queueName, tasks, reason }, "tasks.requeued");
      metrics.taskRequeued.inc({ queue: queueName, reason }, tasks);
    }
  };
  if (outages.isSettled()) {
    report("lease", await outages.observe(() => expireLeases(db, queueName, clock.now())));
  }
  try {
    report("job", await sweepJobs(deps, queueName));
  } catch (thrown) {
    log.debug({ queue: queueName, reason: toError(thrown).message }, "tasks.queue_not_swept");
  }
}

/**
 * Reads the oldest waiting job first: a task whose job waits behind others is not lost, however long
 * it takes.
 */
async function sweepJobs(
  { db, queue, clock }: TaskSchedulerDeps,
  queueName: TaskQueueName,
): Promise<number> {
  const now = clock.now();
  const oldest = await queue.oldestWaiting(queueName);
  const horizon = Math.min(now.getTime(), oldest?.getTime() ?? Infinity) - jobGraceMs;
  return requeueLost(db, queueName, new Date(horizon));
}

export async function updateTaskGauges({ db, clock, metrics }: TaskSchedulerDeps): Promise<void> {
  const now = clock.now();
  for (const queueName of taskQueueNames) {
    const { oldest, ...counts } = await readTaskQueue(db, queueName, now);
    for (const [state, count] of Object.entries(counts)) {
      metrics.tasks.set({ queue: queueName, state }, count);
    }
    const age = oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime());
    metrics.taskOldestDue.set({ queue: queueName }, age / 1_000);
  }
}

const keptMs = 7 * 86_400_000;

const deleteBatch = 5_000;

const mostBatches = 20;

/** Deletes tasks that ended a week ago. Returns how many. */
export async function deleteOldTasks({ db, clock }: TaskSchedulerDeps): Promise<number> {
  const before = new Date(clock.now().getTime() - keptMs);
  let deleted = 0;
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const count = await deleteEnded(db, before, deleteBatch);
    deleted += count;
    if (count < deleteBatch) {
      break;
    }
  }
  return deleted;
}
