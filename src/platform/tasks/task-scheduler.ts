/**
 * In: the passing of time. Out: hints of what is due; what was lost, due again; figures; old rows
 * gone.
 * Guarantee: no task waits for ever, whatever died: the queue, a worker, or this process between
 * any two lines. Everything may run in several processes.
 * On crash: the next pass does the same.
 */
import { taskQueueNames, type TaskQueueName } from "../../contracts/jobs.ts";
import type { Clock } from "../clock.ts";
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
  /** In how many milliseconds something may be handed out again, as far as it is known now. */
  nextInMs: number;
};

/** How much older than the oldest waiting hint a task must be before its hint counts as lost. */
const jobGraceMs = 10_000;

/**
 * What somebody has to do again and again, at the latest every so often; `isWoken` also at once when
 * a task is due at once. A run may ask for the next one earlier.
 */
export type TaskPass = {
  name: string;
  everyMs: number;
  isWoken: boolean;
  run: (again: (inMs: number) => void) => Promise<unknown>;
};

export function taskPasses(deps: TaskSchedulerDeps): TaskPass[] {
  return [
    {
      name: "due-tasks",
      everyMs: lookAheadMs,
      isWoken: true,
      run: async (again) => again((await enqueueDueTasks(deps)).nextInMs),
    },
    { name: "sweep-tasks", everyMs: 1_000, isWoken: false, run: () => sweepTasks(deps) },
    { name: "observe-tasks", everyMs: 15_000, isWoken: false, run: () => observeTasks(deps) },
    { name: "old-tasks", everyMs: 300_000, isWoken: false, run: () => deleteOldTasks(deps) },
  ];
}

/** Tasks that are due at moments close to each other are handed out together. */
const shortestMs = 50;

/** Where a lane is full, or its queue away, nobody says when there will be room. */
const waitForRoomMs = 250;

/** One pass over what is due. A lane whose queue is away is left for a later pass. */
export async function enqueueDueTasks(deps: TaskSchedulerDeps): Promise<DueTasksPass> {
  const nowMs = deps.clock.now().getTime();
  const seen = await listDueQueues(deps.db, taskQueueNames, new Date(nowMs + lookAheadMs));
  const lanes = seen.map(({ lane, dueAt }) => ({ lane, waitMs: dueAt.getTime() - nowMs }));
  const counts = await Promise.all(
    lanes
      .filter(({ waitMs }) => waitMs <= 0)
      .map(async ({ lane }) =>
        enqueueTaskQueue(deps, lane).catch((thrown: unknown) => {
          deps.log.debug({ queue: lane, reason: toError(thrown).message }, "tasks.not_enqueued");
          return 0;
        }),
      ),
  );
  const waits = lanes.map(({ waitMs }) =>
    waitMs <= 0 ? waitForRoomMs : Math.max(waitMs, shortestMs),
  );
  return {
    enqueued: counts.reduce((sum, count) => sum + count, 0),
    nextInMs: Math.min(lookAheadMs, ...waits),
  };
}

/**
 * The rows are committed as `queued` before their hints are added: a hint that came first would
 * find nothing to claim. Who dies between the two leaves what the sweeper finds.
 */
async function enqueueTaskQueue(deps: TaskSchedulerDeps, lane: TaskQueueName): Promise<number> {
  const { db, queue, clock, log } = deps;
  const { waiting } = await queue.counts(lane);
  const limit = taskQueueLimits[lane].highWater - waiting;
  if (limit <= 0) {
    return 0;
  }
  const now = clock.now();
  const hints = await enqueueDue(db, { lane, now, limit });
  try {
    await queue.add(lane, hints, now);
  } catch (thrown) {
    log.warn(
      { queue: lane, jobs: hints.length, reason: toError(thrown).message },
      "tasks.not_added",
    );
    await requeue(db, hints);
    return 0;
  }
  return hints.length;
}

/** Brings back what lost its hint or its worker. */
export async function sweepTasks(deps: TaskSchedulerDeps): Promise<void> {
  const now = deps.clock.now();
  const queuedBefore = new Date(now.getTime() - jobGraceMs);
  const lanes = await listQueuesToSweep(deps.db, taskQueueNames, { now, queuedBefore });
  await Promise.all(lanes.map((lane) => sweepTaskQueue(deps, lane)));
}

async function sweepTaskQueue(deps: TaskSchedulerDeps, lane: TaskQueueName): Promise<void> {
  const { db, clock, log, metrics } = deps;
  const report = (reason: "job" | "lease", tasks: number): void => {
    if (tasks > 0) {
      log.warn({ queue: lane, tasks, reason }, "tasks.requeued");
      metrics.taskRequeued.inc({ queue: lane, reason }, tasks);
    }
  };
  report("lease", await expireLeases(db, lane, clock.now()));
  try {
    report("job", await sweepJobs(deps, lane));
  } catch (thrown) {
    log.debug({ queue: lane, reason: toError(thrown).message }, "tasks.queue_not_swept");
  }
}

/**
 * The queue is asked first, and what it holds is not lost however long it takes: a hint that waits
 * behind others is no reason to add it again.
 */
async function sweepJobs(
  { db, queue, clock }: TaskSchedulerDeps,
  lane: TaskQueueName,
): Promise<number> {
  const now = clock.now();
  const oldest = await queue.oldestWaiting(lane);
  const horizon = Math.min(now.getTime(), oldest?.getTime() ?? Infinity) - jobGraceMs;
  return requeueLost(db, lane, new Date(horizon));
}

/** Sets the gauges. */
export async function observeTasks({ db, clock, metrics }: TaskSchedulerDeps): Promise<void> {
  const now = clock.now();
  for (const lane of taskQueueNames) {
    const { oldest, ...counts } = await readTaskQueue(db, lane, now);
    for (const [state, count] of Object.entries(counts)) {
      metrics.tasks.set({ queue: lane, state }, count);
    }
    const age = oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime());
    metrics.taskOldestDue.set({ queue: lane }, age / 1_000);
  }
}

const keptMs = 7 * 86_400_000;

const deleteBatch = 5_000;

const mostBatches = 20;

/** Deletes tasks that ended a week ago. Tells how many. */
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
