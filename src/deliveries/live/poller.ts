/**
 * In: who watches which enterprise. Out: a view of each of them, once a second.
 * Guarantee: one look a second for all who watch through this process, however many they are, and
 * none while nobody watches. What costs more is counted seldom, beside the looks, and never for more
 * than a hundredth of the time: an enterprise whose counts are slow or fail holds up no other, and
 * is looked at with the counts that it had.
 * On crash: nothing is kept; who comes back gets everything anew.
 */
import { toError } from "../../platform/errors.ts";
import { sleep } from "../../platform/concurrency/sleep.ts";
import { advanceFeed, type FeedPosition } from "../../pipeline/ledger/attempt-tallies.ts";
import {
  readFeedEnd,
  readNewAttempts,
  readLiveWebhooks,
  type NewAttempts,
} from "../../pipeline/ledger/queries/live.ts";
import { withSnapshot, withWebhooks, type LiveSnapshot, type LiveView } from "./view.ts";
import { refreshCounts } from "./refresh-counts.ts";
import type { LivePollerDeps, OnSnapshot, WatchedEnterprise } from "./watched.ts";

export type LivePoller = {
  /** Calls `onBeat` at once and then every second, until the returned function is called. */
  watch(enterpriseId: number, onBeat: OnSnapshot): () => void;
  /** What somebody who watches this enterprise was told a moment ago; undefined where nobody was. */
  latest(enterpriseId: number): { view: LiveView; at: Date } | undefined;
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
        deps.log.warn({ reason: toError(thrown).message }, "live.poll_failed");
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
      deps.log.warn({ reason: toError(thrown).message }, "live.notify_failed");
    }
  }
}
