/**
 * In: the passing of time. Out: its tasks, each again and again at its own pace.
 * Guarantee: a task that fails or hangs delays no other; every task may run in several processes.
 * On crash: every task starts from what the database says.
 */
import { createAlarm } from "../../platform/alarm.ts";
import type { FollowingClock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { HintQueue } from "../../platform/queue/hint-queue.ts";
import type { Dispatcher } from "../ledger/dispatch.ts";
import { endOldPaused, judgeFailing, letGoOrphans, moveBacklogs } from "./backlog.ts";
import { handOutDue } from "./due.ts";
import { observe } from "./observe.ts";
import { deleteOldRows, dropPartitions, makePartitions } from "./retention.ts";
import { createSweeper } from "./sweeper.ts";

export type ScheduleDeps = {
  db: Db;
  queue: HintQueue;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  clock: FollowingClock;
  log: Logger;
  metrics: Metrics;
  retentionDays: number;
  /** What slices want deleted as it grows old: each call one bounded step. */
  cleanups: readonly (() => Promise<unknown>)[];
  /** Wakes the schedule before its next pass is due. */
  onWake: (wake: () => void) => void;
};

type Task = { name: string; everyMs: number; isWoken?: boolean; run: () => Promise<unknown> };

/** A pass that takes long is given as long a pause, times this: it must not eat the machine. */
const restFactor = 4;

/** But no longer than this: what took so long may have been a wait for Redis, not work. */
const longestRestMs = 2_000;

const tasksOf = (deps: ScheduleDeps, signal: AbortSignal): Task[] => {
  const sweeper = createSweeper({
    ...deps,
    onSwept: (reason, count) => deps.metrics.swept.inc({ reason }, count),
  });
  return [
    { name: "due", everyMs: 250, isWoken: true, run: () => handOutDue(deps) },
    { name: "sweep", everyMs: 1_000, run: () => sweeper.sweep() },
    { name: "backlogs", everyMs: 1_000, isWoken: true, run: () => moveBacklogs(deps) },
    { name: "observe", everyMs: 5_000, run: () => observe(deps) },
    { name: "failing", everyMs: 60_000, run: () => judgeFailing(deps) },
    { name: "old-paused", everyMs: 300_000, run: () => endOldPaused(deps, signal) },
    { name: "make-partitions", everyMs: 600_000, run: () => makePartitions(deps) },
    { name: "drop-partitions", everyMs: 600_000, run: () => dropPartitions(deps) },
    { name: "old-rows", everyMs: 60_000, run: () => deleteOldRows(deps, signal) },
    ...deps.cleanups.map((run) => ({ name: "cleanup", everyMs: 300_000, run })),
    { name: "orphans", everyMs: 60_000, run: () => letGoOrphans(deps, signal) },
  ];
};

/** Runs every task until the signal fires; a stop waits for the passes under way. */
export const runSchedule = async (deps: ScheduleDeps, signal: AbortSignal): Promise<void> => {
  const runTask = async (task: Task): Promise<void> => {
    const alarm = createAlarm();
    if (task.isWoken === true) {
      deps.onWake(alarm.ring);
    }
    while (!signal.aborted) {
      const startedAt = Date.now();
      try {
        // oxlint-disable-next-line no-await-in-loop -- a loop over time
        await task.run();
      } catch (thrown) {
        deps.log.warn({ task: task.name, reason: toError(thrown).message }, "schedule.task_failed");
      }
      const tookMs = Date.now() - startedAt;
      const restMs = Math.min(tookMs * restFactor, longestRestMs);
      // oxlint-disable-next-line no-await-in-loop -- a loop over time
      await alarm.wait(Math.max(task.everyMs, restMs), signal);
    }
  };
  await Promise.all(tasksOf(deps, signal).map(runTask));
};
