/**
 * In: who watches which enterprise. Out: a view of each of them, once a second.
 * Guarantee: one look a second for all who watch through this process, however many they are, and
 * none while nobody watches. What costs more is counted seldom, beside the looks, and never for more
 * than a hundredth of the time: an enterprise whose counts are slow or fail holds up no other, and
 * is looked at with the counts that it had.
 * On crash: nothing is kept; who comes back gets everything anew.
 */
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { sleep } from "../../platform/concurrency/sleep.ts";
import { advanceFeed, type FeedPosition } from "../../pipeline/ledger/attempt-tallies.ts";
import { readBacklogs, readOldestEvent } from "../../pipeline/ledger/queries/backlog-counts.ts";
import {
  readDeadToday,
  readFeedEnd,
  readNewAttempts,
  readRecentSums,
  readLiveWebhooks,
  type NewAttempts,
} from "../../pipeline/ledger/queries/live.ts";
import {
  recentBuckets,
  withSnapshot,
  withWebhooks,
  type LiveSnapshot,
  type LiveCounts,
  type LiveView,
} from "./view.ts";

export type LivePollerDeps = {
  db: Db;
  clock: Clock;
  log: Pick<Logger, "warn" | "info">;
  /** Fires when the process begins to stop. */
  stopping: AbortSignal;
  /** From one look to the next. */
  everyMs?: number;
};

/** Called after each look; `number` counts the looks since the first of those who watch came. */
type OnSnapshot = (view: LiveView, beat: { at: Date; number: number }) => void;

export type LivePoller = {
  /** Calls `onBeat` at once and then every second, until the returned function is called. */
  watch(enterpriseId: number, onBeat: OnSnapshot): () => void;
  /** What somebody who watches this enterprise was told a moment ago; undefined where nobody was. */
  latest(enterpriseId: number): { view: LiveView; at: Date } | undefined;
};

type WatchedEnterprise = {
  view: LiveView | undefined;
  watchers: Set<OnSnapshot>;
  countAtMs: number;
  isCounting: boolean;
  isCountFailing: boolean;
  /** Its first look is the one under way. */
  isNew: boolean;
  /** When it was told last, by the clock and by the process's time. */
  lastSent: { at: Date; atMs: number } | undefined;
};

/** The loop's memory from one look to the next. */
type PollPosition = { feed: FeedPosition; lookedAtMs: number; number: number };

/** While looks fail, what was seen before gets old. */
const freshMs = 2_500;

export function createLivePoller(deps: LivePollerDeps): LivePoller {
  const watched = new Map<number, WatchedEnterprise>();
  let running: Promise<void> | undefined;
  const start = (): void => {
    running ??= run(deps, watched).finally(() => {
      running = undefined;
      // Somebody may have come just as it ended.
      if (watched.size > 0 && !deps.stopping.aborted) {
        start();
      }
    });
  };
  return {
    watch: (enterpriseId, onBeat) => {
      const one: WatchedEnterprise = watched.get(enterpriseId) ?? {
        view: undefined,
        watchers: new Set(),
        countAtMs: 0,
        isCounting: false,
        isCountFailing: false,
        isNew: false,
        lastSent: undefined,
      };
      one.watchers.add(onBeat);
      watched.set(enterpriseId, one);
      start();
      return () => {
        one.watchers.delete(onBeat);
        if (one.watchers.size === 0 && watched.get(enterpriseId) === one) {
          watched.delete(enterpriseId);
        }
      };
    },
    latest: (enterpriseId) => {
      const { view, lastSent } = watched.get(enterpriseId) ?? {};
      const isFresh = lastSent !== undefined && performance.now() - lastSent.atMs < freshMs;
      return view === undefined || !isFresh ? undefined : { view, at: lastSent.at };
    },
  };
}

/** Until nobody watches, or the process stops. */
async function run(deps: LivePollerDeps, watched: Map<number, WatchedEnterprise>): Promise<void> {
  const { everyMs = 1_000, stopping: stop } = deps;
  let place: PollPosition | undefined;
  let isFailing = false;
  while (watched.size > 0 && !stop.aborted) {
    const startedMs = performance.now();
    try {
      place ??= { feed: await readFeedEnd(deps.db), lookedAtMs: startedMs, number: 0 };
      // A copy: whoever comes or goes meanwhile is seen by the next look.
      place = await poll(deps, new Map(watched), place);
      isFailing = false;
    } catch (thrown) {
      if (!isFailing) {
        deps.log.warn({ reason: toError(thrown).message }, "live.look_failed");
      }
      isFailing = true;
    }
    await sleep(Math.max(everyMs / 10, everyMs - (performance.now() - startedMs)), stop);
  }
}

async function poll(
  deps: LivePollerDeps,
  watched: ReadonlyMap<number, WatchedEnterprise>,
  place: PollPosition,
): Promise<PollPosition> {
  await refreshCounts(deps, watched);
  const { beat, fresh, lookedAtMs } = await readSnapshot(deps, [...watched.keys()], place);
  const number = place.number + 1;
  for (const [id, one] of watched) {
    if (hasView(one)) {
      const view = advanceView(one, id, beat);
      one.view = view;
      one.isNew = false;
      one.lastSent = { at: beat.at, atMs: performance.now() };
      notifyWatchers(deps, one, view, { at: beat.at, number });
    }
  }
  const feed = fresh.isBehind
    ? await readFeedEnd(deps.db)
    : advanceFeed(place.feed, fresh.islands, beat.at.getTime());
  return { feed, lookedAtMs, number };
}

/** Counts at once: the pool has to serve others too. Each statement has a bound of its own. */
const maxConcurrentCounts = 3;

/** A look waits so long for counts that have begun; then they are part of a later one. */
const maxCountWaitMs = 200;

/** Begins the counts whose time has come, who waits longest first, and waits a moment for them. */
async function refreshCounts(
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

/** Never rejects: what fails is this enterprise's alone, and told once until it succeeds. */
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

/** The first view of an enterprise, or new counts. The looks may have moved its view on meanwhile. */
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

/** What a page that opens now shows of the time before. */
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

/** Between two counts: so long at least, and so many times as long as one took. */
const shortestCountPauseMs = 5_000;

const countShare = 100;

const longestCountPauseMs = 60_000;

/** Somebody waits for the first view: where it failed it is tried again sooner. */
const shortestFirstPauseMs = 1_000;

const firstShare = 10;

/** The pause after a count that took so long. */
function countPauseMs({ view }: WatchedEnterprise, tookMs: number): number {
  const [least, share] =
    view === undefined ? [shortestFirstPauseMs, firstShare] : [shortestCountPauseMs, countShare];
  return Math.min(longestCountPauseMs, Math.max(least, tookMs * share));
}

/** One look for all: what is new of everybody, and how every subscription does. */
async function readSnapshot(
  { db, clock }: LivePollerDeps,
  enterpriseIds: readonly number[],
  { feed, lookedAtMs }: PollPosition,
): Promise<{ beat: LiveSnapshot; fresh: NewAttempts; lookedAtMs: number }> {
  const at = clock.now();
  const nowMs = performance.now();
  const fresh = await readNewAttempts(db, feed, { enterpriseIds, now: at });
  const webhooks = await readLiveWebhooks(db, enterpriseIds);
  const { sums, tail } = fresh;
  const beat = { at, seconds: (nowMs - lookedAtMs) / 1_000, sums, tail, webhooks };
  return { beat, fresh, lookedAtMs: nowMs };
}

function hasView(one: WatchedEnterprise): one is WatchedEnterprise & { view: LiveView } {
  return one.view !== undefined;
}

/** The view of one enterprise, of which there is one, after a look. */
function advanceView(
  one: WatchedEnterprise & { view: LiveView },
  enterpriseId: number,
  beat: LiveSnapshot,
): LiveView {
  const isOwn = (row: { enterprise_id: number }): boolean => row.enterprise_id === enterpriseId;
  const own = {
    ...beat,
    sums: beat.sums.filter(isOwn),
    tail: beat.tail.filter(isOwn),
    webhooks: beat.webhooks.filter(isOwn),
  };
  return one.isNew ? withWebhooks(one.view, own) : withSnapshot(one.view, own);
}

/** One who cannot be told keeps it from nobody else. */
function notifyWatchers(
  deps: LivePollerDeps,
  { watchers }: WatchedEnterprise,
  ...told: Parameters<OnSnapshot>
): void {
  for (const onBeat of watchers) {
    try {
      onBeat(...told);
    } catch (thrown) {
      deps.log.warn({ reason: toError(thrown).message }, "live.not_told");
    }
  }
}
