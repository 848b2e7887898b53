/**
 * In: a claimed task. Out: what became of it.
 * Guarantee: the handler is told to stop when its time is over, when the task is no longer ours and
 * when the process stops; while it runs, the lease is renewed.
 * On crash: the lease ends and the sweeper brings the task back.
 */
import type { Clock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { pause, withTimeout } from "../wait.ts";
import { renewLease } from "./store.ts";
import type { RunningTask, TaskHandler, TaskOutcome } from "./task.ts";

export type Result =
  | TaskOutcome
  | Readonly<{ kind: "threw"; error: Error }>
  /** The process stops before the task was over. */
  | Readonly<{ kind: "stopped" }>;

export type RunDeps = {
  db: Queryable;
  clock: Clock;
  log: Logger;
  leaseMs: number;
  timeoutMs: number;
  /** What is under way, for the process to tell that it stops. */
  underWay: Set<AbortController>;
};

/** Why a handler is told to stop. */
export class ProcessStops extends Error {}

export async function runTask(
  deps: RunDeps,
  task: RunningTask,
  handler: TaskHandler | undefined,
): Promise<Result> {
  if (handler === undefined) {
    return { kind: "threw", error: new Error(`This version does not know ${task.kind}`) };
  }
  const { leaseMs, timeoutMs, underWay } = deps;
  const over = new AbortController();
  const told = new AbortController();
  const timer = setTimeout(
    () => told.abort(new Error(`Not over after ${timeoutMs} ms`)),
    timeoutMs,
  );
  underWay.add(told);
  const renewal = keepLease(deps, task, { over: over.signal, told });
  try {
    return await boundOnceTold(handler(task, told.signal), told.signal, leaseMs);
  } catch (thrown) {
    return resultOf(thrown, told.signal);
  } finally {
    underWay.delete(told);
    clearTimeout(timer);
    over.abort();
    await renewal;
  }
}

/** Renews the lease until the run is over or was told to stop. */
async function keepLease(
  { db, clock, log, leaseMs }: RunDeps,
  task: RunningTask,
  { over, told }: { over: AbortSignal; told: AbortController },
): Promise<void> {
  await pause(leaseMs / 3, over);
  while (!over.aborted && !told.signal.aborted) {
    try {
      const leaseUntil = new Date(clock.now().getTime() + leaseMs);
      if (!(await renewLease(db, task, leaseUntil))) {
        told.abort(new Error("The task was taken away"));
      }
    } catch (thrown) {
      log.debug({ taskId: task.id, reason: toError(thrown).message }, "task.lease_not_renewed");
    }
    await pause(leaseMs / 3, over);
  }
}

/**
 * A handler that was told to stop gets most of what is left of its lease to do so: as long as it
 * may still be at work, nobody else gets the task.
 */
async function boundOnceTold(
  work: Promise<TaskOutcome>,
  told: AbortSignal,
  leaseMs: number,
): Promise<TaskOutcome> {
  const late = new Promise<TaskOutcome>((resolve, reject) => {
    const wait = (): void => {
      withTimeout(work, leaseMs / 2, "It did not stop when it was told to").then(resolve, reject);
    };
    told.addEventListener("abort", wait, { once: true });
  });
  return Promise.race([work, late]);
}

function resultOf(thrown: unknown, told: AbortSignal): Result {
  if (told.reason instanceof ProcessStops) {
    return { kind: "stopped" };
  }
  // A library's own "aborted" tells less than why it was told to.
  return { kind: "threw", error: toError(told.aborted ? told.reason : thrown) };
}
