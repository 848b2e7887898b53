/**
 * In: time. Out: periodic passes, each at its own interval.
 * Guarantee: a pass that fails or hangs delays no other. Every pass may run in several processes.
 * On crash: every pass starts from the state of the database.
 */
import type { PassState } from "../../contracts/platform-state.ts";
import { createWakeup } from "../../platform/concurrency/async.ts";
import type { FollowingClock, Clock } from "../../platform/clock.ts";
import { type Db, namedRowsOf, rowsOf } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import type { Dispatcher } from "../ledger/dispatcher.ts";
import type { WriteNotices } from "../ledger/notices.ts";
import {
  cancelOldPaused,
  warnOrSwitchOffFailing,
  releaseOrphans,
  moveBacklogs,
} from "./backlog.ts";
import { runDuePass, lookAheadMs } from "./due.ts";
import { updateGauges } from "./gauges.ts";
import { deleteOldRows, dropPartitions, makePartitions } from "./retention.ts";
import { createSweeper } from "./sweeper.ts";
import { deleteOldTallies, tallyWhenDue } from "./tallies.ts";

export type ScheduleDeps = {
  db: Db;
  /** Plans for index lookups only: for the passes that run every second. */
  ledgerDb: Db;
  queue: JobQueue;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  writeNotices: WriteNotices;
  clock: FollowingClock;
  log: Logger;
  metrics: Metrics;
  retentionDays: number;
  /** Maximum probes of open circuits in flight. */
  maxProbes: number;
  /** Deletions of features: each call is one bounded step. */
  cleanups: readonly (() => Promise<unknown>)[];
  /** Periodic passes of features. */
  passes: readonly Pass[];
  /** Registers a callback that starts the due pass early. */
  onWake: (wake: () => void) => void;
};

export type Pass = {
  name: string;
  everyMs: number;
  /** Registers a callback that runs the pass at once. */
  onWake?: (wake: () => void) => void;
  /** `again` requests the next run earlier than `everyMs`. */
  run: (again: (inMs: number) => void) => Promise<unknown>;
};

/** The result of a pass. */
export type PassRun = { name: string; everyMs: number; tookMs: number; reason: string | null };

export type Heartbeats = {
  /** Registers a pass of this process, before its first run. */
  register(name: string): void;
  /** Records the end of a run. Of several runs of a pass the last counts. */
  record(pass: PassRun): void;
  /** Writes what was recorded since the last call. */
  write(): Promise<void>;
};

/** After a pass, the pause is at least its duration times this, to limit the load. */
const restFactor = 4;

/** Upper limit of that pause: a long duration may have been a wait for Redis. */
const maxRestMs = 2_000;

/** Pause after the first failure of a pass in succession; doubled after each further one. */
const firstRetryMs = 1_000;

/** Runs every pass until the signal aborts; a stop waits for the running ones. */
export async function runSchedule(deps: ScheduleDeps, signal: AbortSignal): Promise<void> {
  const heartbeats = createHeartbeats(deps);
  const passes = watchPasses(passesOf(deps, heartbeats, signal), deps.metrics);
  await Promise.all(passes.map((pass) => repeatPass(pass, { log: deps.log, heartbeats }, signal)));
}

/**
 * The same passes. At each scrape, the gauge of a pass tells by how much its last success is older
 * than its interval, whether it fails, hangs or never ran.
 */
export function watchPasses(
  passes: readonly Pass[],
  metrics: Pick<Metrics, "passOverdue" | "onRender">,
  nowMs: () => number = () => performance.now(),
): Pass[] {
  const dueAtMs = new Map(passes.map(({ name, everyMs }) => [name, nowMs() + everyMs]));
  metrics.onRender(() => {
    for (const [pass, atMs] of dueAtMs) {
      metrics.passOverdue.set({ pass }, Math.max(0, nowMs() - atMs) / 1_000);
    }
  });
  return passes.map((pass) => ({
    ...pass,
    run: async (again) => {
      await pass.run(again);
      dueAtMs.set(pass.name, nowMs() + pass.everyMs);
    },
  }));
}

/**
 * Runs one pass until the signal aborts. After a failure it runs again sooner than after its interval,
 * which is up to 10 minutes.
 */
export async function repeatPass(
  pass: Pass,
  { log, heartbeats }: { log: Pick<Logger, "warn">; heartbeats: Omit<Heartbeats, "write"> },
  signal: AbortSignal,
): Promise<void> {
  const wakeup = createWakeup();
  heartbeats.register(pass.name);
  pass.onWake?.(wakeup.wake);
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = Date.now();
    let nextInMs = pass.everyMs;
    const again = (inMs: number): void => {
      nextInMs = Math.min(nextInMs, inMs);
    };
    let reason: string | null = null;
    try {
      // oxlint-disable-next-line no-await-in-loop -- a loop over time
      await pass.run(again);
      failures = 0;
    } catch (thrown) {
      reason = toError(thrown).message;
      log.warn({ task: pass.name, reason }, "schedule.task_failed");
      again(firstRetryMs * 2 ** failures);
      failures += 1;
    }
    const tookMs = Date.now() - startedAt;
    heartbeats.record({ name: pass.name, everyMs: pass.everyMs, tookMs, reason });
    const restMs = Math.min(tookMs * restFactor, maxRestMs);
    const waitMs = nextInMs < pass.everyMs ? nextInMs : untilTick(pass.everyMs);
    // oxlint-disable-next-line no-await-in-loop -- a loop over time
    await wakeup.wait(Math.max(waitMs, restMs), signal);
  }
}

/**
 * Milliseconds until the next multiple of the interval, by this process' clock. Passes run at the
 * same moments, so that they wake the process and its connections together.
 */
function untilTick(everyMs: number): number {
  const restMs = everyMs - (performance.now() % everyMs);
  return restMs < everyMs / 10 ? restMs + everyMs : restMs; // a timer may fire a little early
}

/**
 * A row that is not written for this long is that of a pass which only an older version has, unless
 * the pass is registered: then it hangs, possibly since the process started.
 */
const unknownPassMs = 3_600_000;

const heartbeatSql = `
  WITH unknown AS (
    DELETE FROM schedule_passes WHERE name <> ALL (:known) AND ran_at < :unknownBefore)
  INSERT INTO schedule_passes AS p (name, every_ms, ran_at, took_ms, failing_since, reason)
  SELECT n.name, n.every_ms, n.ran_at, n.took_ms,
    CASE WHEN n.reason IS NOT NULL THEN n.ran_at END, n.reason
  FROM json_to_recordset(CAST(:runs AS json)) AS n(name text, every_ms integer, ran_at timestamptz,
    took_ms integer, reason text)
  ORDER BY n.name
  ON CONFLICT (name) DO UPDATE SET every_ms = excluded.every_ms, ran_at = excluded.ran_at,
    took_ms = excluded.took_ms, reason = excluded.reason,
    failing_since = CASE WHEN excluded.reason IS NOT NULL
      THEN coalesce(p.failing_since, excluded.failing_since) END`;

export function createHeartbeats({ db, clock }: { db: Db; clock: Clock }): Heartbeats {
  const runs = new Map<string, Record<string, unknown>>();
  const known = new Set<string>();
  return {
    register: (name) => void known.add(name),
    record: ({ name, everyMs, tookMs, reason }) => {
      runs.set(name, {
        name,
        reason,
        every_ms: everyMs,
        took_ms: Math.round(tookMs),
        ran_at: clock.now(),
      });
    },
    write: async () => {
      const rows = [...runs.values()];
      runs.clear();
      if (rows.length > 0) {
        await namedRowsOf(db, heartbeatSql, {
          runs: JSON.stringify(rows),
          known: [...known],
          unknownBefore: new Date(clock.now().getTime() - unknownPassMs),
        });
      }
    },
  };
}

function passesOf(deps: ScheduleDeps, heartbeats: Heartbeats, signal: AbortSignal): Pass[] {
  const { onWake } = deps;
  const sweeper = createSweeper({
    ...{ ...deps, db: deps.ledgerDb },
    onSwept: (reason, count) => deps.metrics.requeued.inc({ reason }, count),
  });
  return [
    {
      ...{ name: "due", everyMs: lookAheadMs, onWake },
      run: async (again) => again((await runDuePass({ ...deps, db: deps.ledgerDb })).nextInMs),
    },
    { name: "sweep", everyMs: 1_000, run: () => sweeper.sweep() },
    { name: "backlogs", everyMs: 1_000, onWake, run: () => moveBacklogs(deps, signal) },
    { name: "heartbeats", everyMs: 5_000, run: () => heartbeats.write() },
    { name: "gauges", everyMs: 5_000, run: () => updateGauges(deps) },
    { name: "failing", everyMs: 60_000, run: () => warnOrSwitchOffFailing(deps) },
    { name: "old-paused", everyMs: 300_000, run: () => cancelOldPaused(deps, signal) },
    { name: "make-partitions", everyMs: 600_000, run: () => makePartitions(deps) },
    { name: "drop-partitions", everyMs: 600_000, run: () => dropPartitions(deps) },
    { name: "old-rows", everyMs: 60_000, run: () => deleteOldRows(deps, signal) },
    ...deps.cleanups.map((run) => ({ name: "cleanup", everyMs: 300_000, run })),
    { name: "tallies", everyMs: 2_000, run: () => tallyWhenDue(deps) },
    { name: "old-tallies", everyMs: 600_000, run: () => deleteOldTallies(deps, { signal }) },
    { name: "orphans", everyMs: 60_000, run: () => releaseOrphans(deps, signal) },
    ...deps.passes,
  ];
}

type HeartbeatRow = {
  name: string;
  every_ms: number;
  ran_at: Date;
  took_ms: number;
  failing_since: Date | null;
  reason: string | null;
};

/** The last run of each pass, in any process. */
export async function readHeartbeats(db: Db): Promise<PassState[]> {
  const rows = await rowsOf<HeartbeatRow>(
    db,
    "SELECT name, every_ms, ran_at, took_ms, failing_since, reason FROM schedule_passes ORDER BY name",
  );
  return rows.map((row) => ({
    name: row.name,
    everyMs: row.every_ms,
    ranAt: row.ran_at,
    tookMs: row.took_ms,
    failingSince: row.failing_since,
    reason: row.reason,
  }));
}
