/**
 * In: hints of one lane. Out: tasks done, postponed or failed.
 * Guarantee: of several workers one holds a task at a time; what throws comes again, and is never
 * given up.
 * On crash: the lease ends and the sweeper brings the task back.
 */
import type { TaskJob, TaskQueueName } from "../../contracts/jobs.ts";
import type { Clock } from "../clock.ts";
import type { Db, Queryable } from "../db/pool.ts";
import type { FaultPoint } from "../fault-point.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { QueueBackend } from "../queue/backend.ts";
import { startTaskConsumer } from "../queue/job-workers.ts";
import {
  taskQueueLimits,
  type TaskQueueLimits,
  type RunningTask,
  type TaskHandlers,
  type TaskHandler,
  type TaskOutcome,
} from "./task.ts";
import { claimTask, endTask, returnTask, postponeTask, retryTask, renewLease } from "./store.ts";
import { toError } from "../errors.ts";
import { sleep, withTimeout } from "../concurrency/sleep.ts";

export type TaskWorkerDeps = {
  db: Db;
  backend: QueueBackend;
  lane: TaskQueueName;
  handlers: TaskHandlers;
  clock: Clock;
  log: Logger;
  metrics: Pick<Metrics, "taskRuns" | "taskRunDuration">;
  faultPoint: FaultPoint;
  /** The lane's own, unless a test has its reasons. */
  limits?: Pick<TaskQueueLimits, "concurrency" | "leaseMs" | "timeoutMs">;
};

export type TaskWorker = {
  /** Takes no new hint, waits for what is under way, and tells it to stop before `graceMs` end. */
  stop(graceMs: number): Promise<void>;
};

/**
 * In: a claimed task. Out: what became of it.
 * Guarantee: the handler is told to stop when its time is over, when the task is no longer ours and
 * when the process stops; while it runs, the lease is renewed.
 * On crash: the lease ends and the sweeper brings the task back.
 */
export type TaskResult =
  | TaskOutcome
  | Readonly<{ kind: "threw"; error: Error }>
  /** The process stops before the task was over. */
  | Readonly<{ kind: "stopped" }>;

export type TaskRunDeps = {
  db: Queryable;
  clock: Clock;
  log: Logger;
  leaseMs: number;
  timeoutMs: number;
  /** What is under way, for the process to tell that it stops. */
  underWay: Set<AbortController>;
};

/** Why a handler is told to stop. */
class ProcessStopping extends Error {}

/** Of the grace: for handlers to stop, and for writing that they did. */
const stoppingMs = 2_000;

export function startTaskWorker(deps: TaskWorkerDeps): TaskWorker {
  const { db, backend, lane, handlers, clock, log } = deps;
  const limits = deps.limits ?? taskQueueLimits[lane];
  const underWay = new Set<AbortController>();
  const handle = async (hint: TaskJob): Promise<void> => {
    const leaseUntil = new Date(clock.now().getTime() + limits.leaseMs);
    const task = await claimTask(db, hint, { lane, leaseUntil });
    if (task === undefined) {
      return;
    }
    deps.faultPoint("tasks.afterClaim");
    const startedAt = performance.now();
    const result = await runTask(
      { ...limits, db, clock, log, underWay },
      task,
      handlers[task.kind],
    );
    const isTaken = await settle(deps, task, result);
    report(deps, task, { result, isTaken, ms: performance.now() - startedAt });
  };
  const consumer = startTaskConsumer(lane, {
    backend,
    concurrency: limits.concurrency,
    handle,
    log,
  });
  return {
    stop: async (graceMs) => {
      const timer = setTimeout(
        () =>
          underWay.forEach((controller) =>
            controller.abort(new ProcessStopping("The process stops")),
          ),
        Math.max(0, graceMs - stoppingMs),
      );
      await consumer.pause();
      await consumer.close(graceMs);
      clearTimeout(timer);
    },
  };
}

async function runTask(
  deps: TaskRunDeps,
  task: RunningTask,
  handler: TaskHandler | undefined,
): Promise<TaskResult> {
  if (handler === undefined) {
    return { kind: "threw", error: new Error(`This version does not know ${task.kind}`) };
  }
  const { leaseMs, timeoutMs, underWay } = deps;
  const finished = new AbortController();
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`Not over after ${timeoutMs} ms`)),
    timeoutMs,
  );
  underWay.add(controller);
  const renewal = keepLease(deps, task, { over: finished.signal, told: controller });
  try {
    return await boundAfterAbort(handler(task, controller.signal), controller.signal, leaseMs);
  } catch (thrown) {
    return resultOf(thrown, controller.signal);
  } finally {
    underWay.delete(controller);
    clearTimeout(timer);
    finished.abort();
    await renewal;
  }
}

/** Renews the lease until the run is over or was told to stop. */
async function keepLease(
  { db, clock, log, leaseMs }: TaskRunDeps,
  task: RunningTask,
  { over: signal, told: controller }: { over: AbortSignal; told: AbortController },
): Promise<void> {
  await sleep(leaseMs / 3, signal);
  while (!signal.aborted && !controller.signal.aborted) {
    try {
      const leaseUntil = new Date(clock.now().getTime() + leaseMs);
      if (!(await renewLease(db, task, leaseUntil))) {
        controller.abort(new Error("The task was taken away"));
      }
    } catch (thrown) {
      log.debug({ taskId: task.id, reason: toError(thrown).message }, "task.lease_not_renewed");
    }
    await sleep(leaseMs / 3, signal);
  }
}

/**
 * A handler that was told to stop gets most of what is left of its lease to do so: as long as it
 * may still be at work, nobody else gets the task.
 */
async function boundAfterAbort(
  work: Promise<TaskOutcome>,
  signal: AbortSignal,
  leaseMs: number,
): Promise<TaskOutcome> {
  const late = new Promise<TaskOutcome>((resolve, reject) => {
    const wait = (): void => {
      withTimeout(work, leaseMs / 2, "It did not stop when it was told to").then(resolve, reject);
    };
    signal.addEventListener("abort", wait, { once: true });
  });
  return Promise.race([work, late]);
}

function resultOf(thrown: unknown, signal: AbortSignal): TaskResult {
  if (signal.reason instanceof ProcessStopping) {
    return { kind: "stopped" };
  }
  // A library's own "aborted" tells less than why it was told to.
  return { kind: "threw", error: toError(signal.aborted ? signal.reason : thrown) };
}

/** Enough to see what it was about, and little enough for a row and a log line. */
const maxErrorLength = 1_000;

/** Writes down what became of it. False where the task is no longer ours. */
async function settle(
  { db, clock }: Pick<TaskWorkerDeps, "db" | "clock">,
  task: RunningTask,
  result: TaskResult,
): Promise<boolean> {
  const now = clock.now();
  switch (result.kind) {
    case "done":
      return endTask(db, task, { state: "done", error: null, at: now });
    case "replanned":
      return true;
    case "failed":
      return endTask(db, task, { state: "failed", error: result.reason, at: now });
    case "again":
      return postponeTask(db, task, result);
    case "threw": {
      const error = result.error.message.slice(0, maxErrorLength);
      return retryTask(db, task, { now, error });
    }
    case "stopped":
      return returnTask(db, task, now);
  }
}

function report(
  { log, metrics, lane }: Pick<TaskWorkerDeps, "log" | "metrics" | "lane">,
  task: RunningTask,
  { result, isTaken, ms }: { result: TaskResult; isTaken: boolean; ms: number },
): void {
  const outcome = isTaken ? result.kind : "lost";
  metrics.taskRuns.inc({ kind: task.kind, outcome });
  metrics.taskRunDuration.observe({ queue: lane }, ms / 1_000);
  const { id: taskId, kind, key, enterpriseId, attempt } = task;
  const fields = {
    taskId,
    queue: lane,
    kind,
    key,
    enterpriseId,
    attempt,
    outcome,
    ms: Math.round(ms),
  };
  if (result.kind === "threw") {
    log.warn({ ...fields, reason: result.error.message, err: result.error }, "task.ran");
  } else {
    log.info("reason" in result ? { ...fields, reason: result.reason } : fields, "task.ran");
  }
}
