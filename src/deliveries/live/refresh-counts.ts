/** Counts backlogs, at a pace that keeps their cost below 1 % of the time. */
import { toError } from "../../platform/errors.ts";
import { sleep } from "../../platform/concurrency/async.ts";
import { readBacklogs, readOldestEvent } from "../../pipeline/ledger/queries/backlog-counts.ts";
import { readDeadToday, readRecentSums } from "../../pipeline/ledger/queries/live.ts";
import { recentBuckets, type LiveCounts, type LiveView } from "./view.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";

/** A watched enterprise, and what polling needs. */
export type LivePollerDeps = {
  db: Db;
  clock: Clock;
  log: Pick<Logger, "warn" | "info">;
  /** Aborts when the process starts to stop. */
  stopping: AbortSignal;
  /** Interval between polls. */
  everyMs?: number;
};

/** Called after each poll; `number` counts the polls since the first client joined. */
export type OnSnapshot = (view: LiveView, update: { at: Date; number: number }) => void;

export type WatchedEnterprise = {
  view: LiveView | undefined;
  watchers: Set<OnSnapshot>;
  countAtMs: number;
  isCounting: boolean;
  isCountFailing: boolean;
  /** Whether the current poll is its first. */
  isNew: boolean;
  /** When its clients were last notified, in wall-clock and monotonic time. */
  lastSent: { at: Date; atMs: number } | undefined;
};

/** Concurrent counts: the pool serves others too. Each statement has its own time-out. */
const maxConcurrentCounts = 3;

/** How long a poll waits for running counts. Later results belong to a later poll. */
const maxCountWaitMs = 200;

/** Starts the counts that are due, the longest waiting first, and waits briefly for them. */
export async function refreshCounts(
  deps: LivePollerDeps,
  watched: ReadonlyMap<number, WatchedEnterprise>,
): Promise<void> {
  const untilMs = performance.now() + maxCountWaitMs;
  const due = [...watched]
    .filter(([, one]) => !one.isCounting && performance.now() >= one.countAtMs)
    .toSorted(([, a], [, b]) => a.countAtMs - b.countAtMs);
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      await tryRefreshCount(deps, ...next);
      if (performance.now() >= untilMs) {
        return;
      }
    }
  };
  const counting = [...watched.values()].filter(({ isCounting }) => isCounting).length;
  const free = Math.max(0, Math.min(maxConcurrentCounts - counting, due.length));
  if (free > 0) {
    await Promise.race([
      Promise.all(Array.from({ length: free }, work)),
      sleep(maxCountWaitMs, deps.stopping),
    ]);
  }
}

/**
 * Never rejects. A failure affects only this enterprise, and is logged once until a count succeeds.
 */
async function tryRefreshCount(
  deps: LivePollerDeps,
  id: number,
  one: WatchedEnterprise,
): Promise<void> {
  const startedMs = performance.now();
  one.isCounting = true;
  try {
    await refreshCount(deps, id, one);
    one.isCountFailing = false;
  } catch (thrown) {
    if (!one.isCountFailing) {
      deps.log.warn({ enterpriseId: id, reason: toError(thrown).message }, "live.count_failed");
    }
    one.isCountFailing = true;
  }
  one.isCounting = false;
  const now = performance.now();
  one.countAtMs = now + countPauseMs(one, now - startedMs);
}

/**
 * Creates the first view of an enterprise or updates its counts. Polls may have advanced the view
 * in the meantime.
 */
async function refreshCount(
  deps: LivePollerDeps,
  enterpriseId: number,
  one: WatchedEnterprise,
): Promise<void> {
  if (one.view === undefined) {
    one.view = await firstView(deps, enterpriseId);
    one.isNew = true;
  } else {
    const counted = await count(deps, enterpriseId);
    one.view = { ...one.view, counted };
  }
}

const historyMs = 300_000;

/** The history that a newly opened page shows. */
async function firstView(deps: LivePollerDeps, enterpriseId: number): Promise<LiveView> {
  const since = new Date(deps.clock.now().getTime() - historyMs);
  const past = await readRecentSums(deps.db, enterpriseId, since);
  const counted = await count(deps, enterpriseId);
  const buckets = past === undefined ? [] : recentBuckets(past, since);
  return { buckets, intervals: [], webhooks: [], tail: [], leftOut: 0, counted };
}

async function count({ db, clock }: LivePollerDeps, enterpriseId: number): Promise<LiveCounts> {
  const at = clock.now();
  const [backlogs, oldestEvent, deadToday] = await Promise.all([
    readBacklogs(db, enterpriseId, at),
    readOldestEvent(db, enterpriseId),
    readDeadToday(db, enterpriseId, at),
  ]);
  return { at, backlogs, oldestEvent, deadToday };
}

/**
 * The pause between two counts: at least this long, and this many times the duration of the last.
 */
const shortestCountPauseMs = 5_000;

const countShare = 100;

const longestCountPauseMs = 60_000;

/** Without a first view clients wait, so a failed one is retried sooner. */
const shortestFirstPauseMs = 1_000;

const firstShare = 10;

/** The pause after a count of that duration. */
function countPauseMs({ view }: WatchedEnterprise, tookMs: number): number {
  const [least, share] =
    view === undefined ? [shortestFirstPauseMs, firstShare] : [shortestCountPauseMs, countShare];
  return Math.min(longestCountPauseMs, Math.max(least, tookMs * share));
}
