/**
 * In: hints of one lane. Out: tasks done, postponed or failed.
 * Guarantee: of several workers one holds a task at a time; what throws comes again, and is never
 * given up.
 * On crash: the lease ends and the sweeper brings the task back.
 */
import type { TaskHint, TaskLane } from "../../contracts/jobs.ts";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/pool.ts";
import type { FaultPoint } from "../fault-point.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { QueueBackend } from "../queue/backend.ts";
import { startTaskConsumer } from "../queue/hint-workers.ts";
import { laneLimits, type LaneLimits } from "./lanes.ts";
import { ProcessStops, runTask, type Result } from "./run.ts";
import { claimTask, endTask, giveBackTask, postponeTask, retryTask } from "./store.ts";
import type { RunningTask, TaskHandlers } from "./task.ts";

export type TaskWorkerDeps = {
  db: Db;
  backend: QueueBackend;
  lane: TaskLane;
  handlers: TaskHandlers;
  clock: Clock;
  log: Logger;
  metrics: Pick<Metrics, "taskRuns" | "taskDuration">;
  faultPoint: FaultPoint;
  /** The lane's own, unless a test has its reasons. */
  limits?: Pick<LaneLimits, "concurrency" | "leaseMs" | "timeoutMs">;
};

export type TaskWorker = {
  /** Takes no new hint, waits for what is under way, and tells it to stop before `graceMs` end. */
  stop(graceMs: number): Promise<void>;
};

/** Of the grace: for handlers to stop, and for writing that they did. */
const stoppingMs = 2_000;

export function startTaskWorker(deps: TaskWorkerDeps): TaskWorker {
  const { db, backend, lane, handlers, clock, log } = deps;
  const limits = deps.limits ?? laneLimits[lane];
  const underWay = new Set<AbortController>();
  const handle = async (hint: TaskHint): Promise<void> => {
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
        () => underWay.forEach((told) => told.abort(new ProcessStops("The process stops"))),
        Math.max(0, graceMs - stoppingMs),
      );
      await consumer.pause();
      await consumer.close(graceMs);
      clearTimeout(timer);
    },
  };
}

/** Enough to see what it was about, and little enough for a row and a log line. */
const mostErrorLength = 1_000;

/** Writes down what became of it. False where the task is no longer ours. */
async function settle(
  { db, clock }: Pick<TaskWorkerDeps, "db" | "clock">,
  task: RunningTask,
  result: Result,
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
      const error = result.error.message.slice(0, mostErrorLength);
      return retryTask(db, task, { now, error });
    }
    case "stopped":
      return giveBackTask(db, task, now);
  }
}

function report(
  { log, metrics, lane }: Pick<TaskWorkerDeps, "log" | "metrics" | "lane">,
  task: RunningTask,
  { result, isTaken, ms }: { result: Result; isTaken: boolean; ms: number },
): void {
  const outcome = isTaken ? result.kind : "lost";
  metrics.taskRuns.inc({ kind: task.kind, outcome });
  metrics.taskDuration.observe({ lane }, ms / 1_000);
  const { id: taskId, kind, key, enterpriseId, attempt } = task;
  const fields = { taskId, lane, kind, key, enterpriseId, attempt, outcome, ms: Math.round(ms) };
  if (result.kind === "threw") {
    log.warn({ ...fields, reason: result.error.message, err: result.error }, "task.ran");
  } else {
    log.info("reason" in result ? { ...fields, reason: result.reason } : fields, "task.ran");
  }
}
