/**
 * In: the enterprises that clients watch. Out: a view of each, once per second.
 * Guarantee: one poll per second for all clients of this process, none without clients. Expensive
 * counts run beside the polls and take at most 1 % of the time; an enterprise whose counts are slow
 * or fail delays no other and keeps its last counts.
 * On crash: nothing is stored; a client that reconnects gets a new snapshot.
 */
import { toError } from "../../platform/errors.ts";
import { sleep } from "../../platform/concurrency/async.ts";
import { advanceFeed, type FeedPosition } from "../../pipeline/ledger/attempt-feed.ts";
import {
  readFeedEnd,
  readNewAttempts,
  readLiveWebhooks,
  type NewAttempts,
} from "../../pipeline/ledger/queries/live.ts";
import { withSnapshot, withWebhooks, type LiveSnapshot, type LiveView } from "./view.ts";
import {
  refreshCounts,
  type LivePollerDeps,
  type OnSnapshot,
  type WatchedEnterprise,
} from "./refresh-counts.ts";

export type LivePoller = {
  /** Calls `onSnapshot` at once and then every second, until the returned function is called. */
  watch(enterpriseId: number, onSnapshot: OnSnapshot): () => void;
  /** The last view sent to clients of this enterprise; undefined without one. */
  latest(enterpriseId: number): { view: LiveView; at: Date } | undefined;
};

/** The state of the loop between two polls. */
type PollPosition = { feed: FeedPosition; polledAtMs: number; number: number };

/** While polls fail, the last view becomes stale. */
const freshMs = 2_500;

export function createLivePoller(deps: LivePollerDeps): LivePoller {
  const watched = new Map<number, WatchedEnterprise>();
  let running: Promise<void> | undefined;
  const start = (): void => {
    running ??= run(deps, watched).finally(() => {
      running = undefined;
      // A client may have joined just as the loop ended.
      if (watched.size > 0 && !deps.stopping.aborted) {
        start();
      }
    });
  };
  return {
    watch: (enterpriseId, onSnapshot) => {
      const one: WatchedEnterprise = watched.get(enterpriseId) ?? {
        view: undefined,
        watchers: new Set(),
        countAtMs: 0,
        isCounting: false,
        isCountFailing: false,
        isNew: false,
        lastSent: undefined,
      };
      one.watchers.add(onSnapshot);
      watched.set(enterpriseId, one);
      start();
      return () => {
        one.watchers.delete(onSnapshot);
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

/** Runs until no client is left or the process stops. */
async function run(deps: LivePollerDeps, watched: Map<number, WatchedEnterprise>): Promise<void> {
  const { everyMs = 1_000, stopping: stop } = deps;
  let place: PollPosition | undefined;
  let isFailing = false;
  while (watched.size > 0 && !stop.aborted) {
    const startedMs = performance.now();
    try {
      place ??= { feed: await readFeedEnd(deps.db), polledAtMs: startedMs, number: 0 };
      // A copy: clients that join or leave during this poll belong to the next one.
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
  const { snapshot, fresh, polledAtMs } = await readSnapshot(deps, [...watched.keys()], place);
  const number = place.number + 1;
  for (const [id, one] of watched) {
    if (hasView(one)) {
      const view = advanceView(one, id, snapshot);
      one.view = view;
      one.isNew = false;
      one.lastSent = { at: snapshot.at, atMs: performance.now() };
      notifyWatchers(deps, one, view, { at: snapshot.at, number });
    }
  }
  const feed = fresh.isBehind
    ? await readFeedEnd(deps.db)
    : advanceFeed(place.feed, fresh.islands, snapshot.at.getTime());
  return { feed, polledAtMs, number };
}

/** Reads new attempts and the state of every subscription, for all enterprises together. */
async function readSnapshot(
  { db, clock }: LivePollerDeps,
  enterpriseIds: readonly number[],
  { feed, polledAtMs }: PollPosition,
): Promise<{ snapshot: LiveSnapshot; fresh: NewAttempts; polledAtMs: number }> {
  const at = clock.now();
  const nowMs = performance.now();
  const fresh = await readNewAttempts(db, feed, { enterpriseIds, now: at });
  const webhooks = await readLiveWebhooks(db, enterpriseIds);
  const { sums, tail } = fresh;
  const snapshot = { at, seconds: (nowMs - polledAtMs) / 1_000, sums, tail, webhooks };
  return { snapshot, fresh, polledAtMs: nowMs };
}

function hasView(one: WatchedEnterprise): one is WatchedEnterprise & { view: LiveView } {
  return one.view !== undefined;
}

/** The view of one enterprise after a poll. */
function advanceView(
  one: WatchedEnterprise & { view: LiveView },
  enterpriseId: number,
  snapshot: LiveSnapshot,
): LiveView {
  const isOwn = (row: { enterprise_id: number }): boolean => row.enterprise_id === enterpriseId;
  const own = {
    ...snapshot,
    sums: snapshot.sums.filter(isOwn),
    tail: snapshot.tail.filter(isOwn),
    webhooks: snapshot.webhooks.filter(isOwn),
  };
  return one.isNew ? withWebhooks(one.view, own) : withSnapshot(one.view, own);
}

/** An error of one client does not affect the others. */
function notifyWatchers(
  deps: LivePollerDeps,
  { watchers }: WatchedEnterprise,
  ...snapshot: Parameters<OnSnapshot>
): void {
  for (const onSnapshot of watchers) {
    try {
      onSnapshot(...snapshot);
    } catch (thrown) {
      deps.log.warn({ reason: toError(thrown).message }, "live.notify_failed");
    }
  }
}
