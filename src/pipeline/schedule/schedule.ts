/**
 * In: the passing of time. Out: its passes, each again and again at its own pace.
 * Guarantee: a pass that fails or hangs delays no other; every pass may run in several processes.
 * On crash: every pass starts from what the database says.
 */
import { createAlarm } from "../../platform/alarm.ts";
import type { FollowingClock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { HintQueue } from "../../platform/queue/hint-queue.ts";
import type { Dispatcher } from "../ledger/dispatch.ts";
import type { WriteNotices } from "../ledger/notices.ts";
import { endOldPaused, judgeFailing, letGoOrphans, moveBacklogs } from "./backlog.ts";
import { handOutDue, lookAheadMs } from "./due.ts";
import { observe } from "./observe.ts";
import { createPassNotes, type PassNotes } from "./pass-notes.ts";
import { deleteOldRows, dropPartitions, makePartitions } from "./retention.ts";
import { createSweeper } from "./sweeper.ts";
import { deleteOldTallies, tallyInTime } from "./tallies.ts";

export type ScheduleDeps = {
  db: Db;
  queue: HintQueue;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  writeNotices: WriteNotices;
  clock: FollowingClock;
  log: Logger;
  metrics: Metrics;
  retentionDays: number;
  /** How many probes of open circuits may be under way. */
  maxProbes: number;
  /** What slices want deleted as it grows old: each call one bounded step. */
  cleanups: readonly (() => Promise<unknown>)[];
  /** What is not the pipeline's own and keeps the same hours. */
  passes: readonly Pass[];
  /** Wakes the schedule before its next pass is due. */
  onWake: (wake: () => void) => void;
};

export type Pass = {
  name: string;
  everyMs: number;
  /** Where the pass is told of haste. */
  onWake?: (wake: () => void) => void;
  /** `again` asks for the next run earlier than `everyMs` says. */
  run: (again: (inMs: number) => void) => Promise<unknown>;
};

/** A pass that takes long is given as long a pause, times this: it must not eat the machine. */
const restFactor = 4;

/** But no longer than this: what took so long may have been a wait for Redis, not work. */
const longestRestMs = 2_000;

/** Runs every pass until the signal fires; a stop waits for those under way. */
export async function runSchedule(deps: ScheduleDeps, signal: AbortSignal): Promise<void> {
  const notes = createPassNotes(deps);
  const runPass = async (pass: Pass): Promise<void> => {
    const alarm = createAlarm();
    pass.onWake?.(alarm.ring);
    while (!signal.aborted) {
      const startedAt = Date.now();
      let nextInMs = pass.everyMs;
      let reason: string | null = null;
      try {
        // oxlint-disable-next-line no-await-in-loop -- a loop over time
        await pass.run((inMs) => {
          nextInMs = Math.min(nextInMs, inMs);
        });
      } catch (thrown) {
        reason = toError(thrown).message;
        deps.log.warn({ task: pass.name, reason }, "schedule.task_failed");
      }
      const tookMs = Date.now() - startedAt;
      notes.note({ name: pass.name, everyMs: pass.everyMs, tookMs, reason });
      const restMs = Math.min(tookMs * restFactor, longestRestMs);
      // oxlint-disable-next-line no-await-in-loop -- a loop over time
      await alarm.wait(Math.max(nextInMs, restMs), signal);
    }
  };
  await Promise.all(passesOf(deps, notes, signal).map(runPass));
}

function passesOf(deps: ScheduleDeps, notes: PassNotes, signal: AbortSignal): Pass[] {
  const { onWake } = deps;
  const sweeper = createSweeper({
    ...deps,
    onSwept: (reason, count) => deps.metrics.swept.inc({ reason }, count),
  });
  return [
    {
      ...{ name: "due", everyMs: lookAheadMs, onWake },
      run: async (again) => again((await handOutDue(deps)).nextInMs),
    },
    { name: "sweep", everyMs: 1_000, run: () => sweeper.sweep() },
    { name: "backlogs", everyMs: 1_000, onWake, run: () => moveBacklogs(deps) },
    { name: "pass-notes", everyMs: 5_000, run: () => notes.write() },
    { name: "observe", everyMs: 5_000, run: () => observe(deps) },
    { name: "failing", everyMs: 60_000, run: () => judgeFailing(deps) },
    { name: "old-paused", everyMs: 300_000, run: () => endOldPaused(deps, signal) },
    { name: "make-partitions", everyMs: 600_000, run: () => makePartitions(deps) },
    { name: "drop-partitions", everyMs: 600_000, run: () => dropPartitions(deps) },
    { name: "old-rows", everyMs: 60_000, run: () => deleteOldRows(deps, signal) },
    ...deps.cleanups.map((run) => ({ name: "cleanup", everyMs: 300_000, run })),
    { name: "tallies", everyMs: 2_000, run: () => tallyInTime(deps) },
    { name: "old-tallies", everyMs: 600_000, run: () => deleteOldTallies(deps) },
    { name: "orphans", everyMs: 60_000, run: () => letGoOrphans(deps, signal) },
    ...deps.passes,
  ];
}
