/**
 * In: who watches which enterprise. Out: a view of each of them, once a second.
 * Guarantee: one look a second for all who watch through this process, however many they are, and
 * none while nobody watches. What costs more is read seldom, and never for more than a hundredth
 * of the time.
 * On crash: nothing is kept; who comes back gets everything anew.
 */
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { pause } from "../../platform/wait.ts";
import { advance, type Feed } from "../../pipeline/ledger/attempt-feed.ts";
import { readBacklogs } from "./backlog-store.ts";
import {
  readDeadToday,
  readFeedEnd,
  readFresh,
  readPast,
  readWatched,
  type Fresh,
} from "./store.ts";
import { afterBeat, firstBeat, type Beat, type Counted, type View } from "./view.ts";

export type PulseDeps = {
  db: Db;
  clock: Clock;
  log: Pick<Logger, "warn" | "info">;
  /** Fires when the process begins to stop. */
  stopping: AbortSignal;
  /** From one look to the next. */
  everyMs?: number;
};

/** Called after each look; `number` counts the looks since the first of those who watch came. */
type OnBeat = (view: View, beat: { at: Date; number: number }) => void;

export type Pulse = {
  /** Calls `onBeat` at once and then every second, until the returned function is called. */
  watch(enterpriseId: number, onBeat: OnBeat): () => void;
};

const historyMs = 300_000;
const tallyStepSeconds = 10;

/** Between two counts: so long at least, and so many times as long as one took. */
const shortestCountPauseMs = 5_000;
const countShare = 100;
const longestCountPauseMs = 60_000;

type Watched = {
  view: View | undefined;
  watchers: Set<OnBeat>;
  countAtMs: number;
  /** Its first look is the one under way. */
  isNew: boolean;
};

const count = async (
  { db, clock }: PulseDeps,
  enterpriseId: number,
): Promise<{ counted: Counted; tookMs: number }> => {
  const startedMs = performance.now();
  const at = clock.now();
  const [backlogs, deadToday] = await Promise.all([
    readBacklogs(db, enterpriseId, at),
    readDeadToday(db, enterpriseId, at),
  ]);
  return { counted: { at, backlogs, deadToday }, tookMs: performance.now() - startedMs };
};

/** The pause after a count that took so long. */
const countPauseMs = (tookMs: number): number =>
  Math.min(longestCountPauseMs, Math.max(shortestCountPauseMs, tookMs * countShare));

/** What a page that opens now shows of the time before. */
const firstView = async (
  deps: PulseDeps,
  enterpriseId: number,
): Promise<{ view: View; tookMs: number }> => {
  const since = new Date(deps.clock.now().getTime() - historyMs);
  const past = await readPast(deps.db, enterpriseId, since);
  const { counted, tookMs } = await count(deps, enterpriseId);
  const buckets = past.map(({ at, ...tally }) => ({
    at: new Date(at.getTime() + tallyStepSeconds * 1_000),
    seconds: tallyStepSeconds,
    tally,
  }));
  const view = { buckets, moments: [], webhooks: [], tail: [], leftOut: 0, counted };
  return { view, tookMs };
};

/** Gives each enterprise its first view, and new counts where it is time. */
const prepare = async (deps: PulseDeps, enterpriseId: number, one: Watched): Promise<void> => {
  if (one.view === undefined) {
    const { view, tookMs } = await firstView(deps, enterpriseId);
    one.view = view;
    one.isNew = true;
    one.countAtMs = performance.now() + countPauseMs(tookMs);
  } else if (performance.now() >= one.countAtMs) {
    const { counted, tookMs } = await count(deps, enterpriseId);
    one.view = { ...one.view, counted };
    one.countAtMs = performance.now() + countPauseMs(tookMs);
  }
};

/** The loop's memory from one look to the next. */
type Place = { feed: Feed; lookedAtMs: number; number: number };

/** One look for all: what is new of everybody, and how every subscription does. */
const read = async (
  { db, clock }: PulseDeps,
  enterpriseIds: readonly number[],
  { feed, lookedAtMs }: Place,
): Promise<{ beat: Beat; fresh: Fresh; lookedAtMs: number }> => {
  const at = clock.now();
  const nowMs = performance.now();
  const fresh = await readFresh(db, feed, { enterpriseIds, now: at });
  const webhooks = await readWatched(db, enterpriseIds);
  const { sums, tail } = fresh;
  const beat = { at, seconds: (nowMs - lookedAtMs) / 1_000, sums, tail, webhooks };
  return { beat, fresh, lookedAtMs: nowMs };
};

/** The view of one enterprise, of which there is one, after a look. */
const moveOn = (one: Watched & { view: View }, enterpriseId: number, beat: Beat): View => {
  const isOwn = (row: { enterprise_id: number }): boolean => row.enterprise_id === enterpriseId;
  const own = {
    ...beat,
    sums: beat.sums.filter(isOwn),
    tail: beat.tail.filter(isOwn),
    webhooks: beat.webhooks.filter(isOwn),
  };
  return one.isNew ? firstBeat(one.view, own) : afterBeat(one.view, own);
};

const hasView = (one: Watched): one is Watched & { view: View } => one.view !== undefined;

const look = async (
  deps: PulseDeps,
  watched: ReadonlyMap<number, Watched>,
  place: Place,
): Promise<Place> => {
  for (const [id, one] of watched) {
    await prepare(deps, id, one);
  }
  const { beat, fresh, lookedAtMs } = await read(deps, [...watched.keys()], place);
  const number = place.number + 1;
  for (const [id, one] of watched) {
    if (hasView(one)) {
      const view = moveOn(one, id, beat);
      one.view = view;
      one.isNew = false;
      one.watchers.forEach((onBeat) => onBeat(view, { at: beat.at, number }));
    }
  }
  const feed = fresh.isBehind
    ? await readFeedEnd(deps.db)
    : advance(place.feed, fresh.islands, beat.at.getTime());
  return { feed, lookedAtMs, number };
};

/** Until nobody watches, or the process stops. */
const run = async (deps: PulseDeps, watched: Map<number, Watched>): Promise<void> => {
  const { everyMs = 1_000, stopping: stop } = deps;
  let place: Place | undefined;
  let isFailing = false;
  while (watched.size > 0 && !stop.aborted) {
    const startedMs = performance.now();
    try {
      place ??= { feed: await readFeedEnd(deps.db), lookedAtMs: startedMs, number: 0 };
      // A copy: whoever comes or goes meanwhile is seen by the next look.
      place = await look(deps, new Map(watched), place);
      isFailing = false;
    } catch (thrown) {
      if (!isFailing) {
        deps.log.warn({ reason: toError(thrown).message }, "live.look_failed");
      }
      isFailing = true;
    }
    await pause(Math.max(everyMs / 10, everyMs - (performance.now() - startedMs)), stop);
  }
};

export const createPulse = (deps: PulseDeps): Pulse => {
  const watched = new Map<number, Watched>();
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
      const one: Watched = watched.get(enterpriseId) ?? {
        view: undefined,
        watchers: new Set(),
        countAtMs: 0,
        isNew: false,
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
  };
};
