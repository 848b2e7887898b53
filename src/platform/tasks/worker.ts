/**
 * In: jobs of one queue. Out: tasks done, postponed or failed.
 * Guarantee: only one worker at a time runs a task; a task that throws is retried without limit.
 * On crash: the lease ends and the sweeper requeues the task.
 */
import type { TaskJob, TaskQueueName } from "../../contracts/jobs.ts";
import type { Clock } from "../clock.ts";
import type { Db, Queryable } from "../db/pool.ts";
import type { FaultPoint } from "../../contracts/fault-points.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { QueueBackend } from "../queue/job-queue.ts";
import { startTaskConsumer, stopWorkers } from "../queue/job-workers.ts";
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
import { sleep, withTimeout } from "../concurrency/async.ts";

export type TaskWorkerDeps = {
  db: Db;
  backend: QueueBackend;
  queueName: TaskQueueName;
  handlers: TaskHandlers;
  clock: Clock;
  log: Logger;
  metrics: Pick<Metrics, "taskRuns" | "taskRunDuration">;
  faultPoint: FaultPoint;
  /** Overridden only by tests. */
  limits?: Pick<TaskQueueLimits, "concurrency" | "leaseMs" | "timeoutMs">;
};

export type TaskWorker = {
  /** Takes no more jobs, waits for running tasks, and aborts them before `graceMs` end. */
  stop(graceMs: number): Promise<void>;
};

/**
 * In: a claimed task. Out: its result.
 * Guarantee: the handler's signal aborts at the time limit, when another worker got the task, and
 * when the process stops. The lease is renewed while it runs.
 * On crash: the lease ends and the sweeper requeues the task.
 */
export type TaskResult =
  | TaskOutcome
  | Readonly<{ kind: "threw"; error: Error }>
  /** The process stopped before the task was finished. */
  | Readonly<{ kind: "stopped" }>;

export type TaskRunDeps = {
  db: Queryable;
  clock: Clock;
  log: Logger;
  leaseMs: number;
  timeoutMs: number;
  /** Running tasks, which are aborted when the process stops. */
  underWay: Set<AbortController>;
};

/** Why a handler is aborted. */
class ProcessStopping extends Error {}

/** Parts of the grace period: for handlers to stop, and to store that they did. */
const stoppingMs = 2_000;

export function startTaskWorker(deps: TaskWorkerDeps): TaskWorker {
  const { db, backend, queueName, handlers, clock, log } = deps;
  const limits = deps.limits ?? taskQueueLimits[queueName];
  const underWay = new Set<AbortController>();
  const handle = async (taskJob: TaskJob): Promise<void> => {
    const leaseUntil = new Date(clock.now().getTime() + limits.leaseMs);
    const task = await claimTask(db, taskJob, { queueName, leaseUntil });
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
    const isAccepted = await settle(deps, task, result);
    report(deps, task, { result, isAccepted, ms: performance.now() - startedAt });
  };
  const consumer = startTaskConsumer(queueName, {
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
      await stopWorkers(consumer, graceMs);
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
    () => controller.abort(new Error(`Timed out after ${timeoutMs} ms`)),
    timeoutMs,
  );
  underWay.add(controller);
  const renewal = keepLease(deps, task, { finished: finished.signal, controller });
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

/** Within the time that the sweeper gives workers after an outage (`platform/db/outages.ts`). */
const renewalRetryMs = 1_000;

/** Renews the lease until the run is finished or aborted. */
async function keepLease(
  { db, clock, log, leaseMs }: TaskRunDeps,
  task: RunningTask,
  { finished: signal, controller }: { finished: AbortSignal; controller: AbortController },
): Promise<void> {
  let waitMs = leaseMs / 3;
  await sleep(waitMs, signal);
  while (!signal.aborted && !controller.signal.aborted) {
    try {
      waitMs = leaseMs / 3;
      const leaseUntil = new Date(clock.now().getTime() + leaseMs);
      if (!(await renewLease(db, task, leaseUntil))) {
        controller.abort(new Error("Another worker took over the task"));
      }
    } catch (thrown) {
      log.debug({ taskId: task.id, reason: toError(thrown).message }, "task.lease_not_renewed");
      waitMs = Math.min(renewalRetryMs, waitMs);
    }
    await sleep(waitMs, signal);
  }
}

/**
 * An aborted handler gets most of its remaining lease to stop: no other worker may get the task while
 * it may still run.
 */
async function boundAfterAbort(
  work: Promise<TaskOutcome>,
  signal: AbortSignal,
  leaseMs: number,
): Promise<TaskOutcome> {
  const late = new Promise<TaskOutcome>((resolve, reject) => {
    const wait = (): void => {
      withTimeout(work, leaseMs / 2, "The handler did not stop when it was aborted").then(
        resolve,
        reject,
      );
    };
    signal.addEventListener("abort", wait, { once: true });
  });
  return Promise.race([work, late]);
}

function resultOf(thrown: unknown, signal: AbortSignal): TaskResult {
  if (signal.reason instanceof ProcessStopping) {
    return { kind: "stopped" };
  }
  // The reason of the abort says more than the "aborted" error of a library.
  return { kind: "threw", error: toError(signal.aborted ? signal.reason : thrown) };
}

/** Long enough to identify the error, short enough for a row and a log line. */
const maxErrorLength = 1_000;

/** Stores the result. False if another worker got the task. */
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
  { log, metrics, queueName }: Pick<TaskWorkerDeps, "log" | "metrics" | "queueName">,
  task: RunningTask,
  { result, isAccepted, ms }: { result: TaskResult; isAccepted: boolean; ms: number },
): void {
  const outcome = isAccepted ? result.kind : "lost";
  metrics.taskRuns.inc({ kind: task.kind, outcome });
  metrics.taskRunDuration.observe({ queue: queueName }, ms / 1_000);
  const { id: taskId, kind, key, enterpriseId, attempt } = task;
  const fields = {
    taskId,
    queue: queueName,
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
