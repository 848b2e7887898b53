import type { Readable } from "node:stream";
import { problem } from "../../contracts/problems.ts";
import { reachOf, type Authenticated } from "../../http/authorize.ts";
import type { Caller } from "../../http/route.ts";
import {
  createTenantSemaphore,
  type TenantSemaphore,
} from "../../platform/concurrency/semaphore.ts";
import { withTimeout } from "../../platform/concurrency/sleep.ts";
import { streamTimes, type StreamTimes } from "../pull/stream.ts";
import { presentUpdate, presentSnapshot } from "./present.ts";
import { createLivePoller } from "./poller.ts";
import { type LivePollerDeps } from "./refresh-counts.ts";
import { createLiveStream, type LiveMessage } from "./stream.ts";
import type { LiveView } from "./view.ts";

export type LiveDeps = LivePollerDeps & {
  /** Who it is that presented this token or session, if it is good at this moment. */
  recheck: (caller: Caller) => Promise<Authenticated | undefined>;
  times?: StreamTimes;
};

export type PresentedSnapshot = ReturnType<typeof presentSnapshot>;

/** What is going on with an enterprise's deliveries now. */
export type Live = {
  /** One view; at once where it is being polled, else in two seconds: a rate needs two polls. */
  snapshot(caller: Caller): Promise<PresentedSnapshot>;
  /** A view each second, until the client leaves, may read no more, or the process stops. */
  stream(caller: Caller): Readable;
};

const streamLimits = { perUser: 4, perTenant: 20, total: 300 };

/** Requests that wait for a poll, which is one for all of an enterprise. */
const snapshotLimits = { perUser: 10, perTenant: 60, total: 500 };

const retryAfterSeconds = 10;

const longestWaitMs = 10_000;

export function createLive(deps: LiveDeps): Live {
  const { recheck, stopping, times = streamTimes } = deps;
  const poller = createLivePoller(deps);
  const snapshotOf = createSnapshots();
  const textOf = createTexts(snapshotOf);
  const streamSemaphore = createTenantSemaphore(streamLimits);
  const snapshotSemaphore = createTenantSemaphore(snapshotLimits);
  const open = new Set<AbortController>();
  stopping.addEventListener("abort", () => open.forEach((controller) => controller.abort()));

  const acquire = (semaphore: TenantSemaphore, { enterpriseId, userId }: Caller): (() => void) => {
    const release = semaphore.tryAcquire(enterpriseId, userId);
    if (release === undefined) {
      throw problem("rate_limited", "Too many live views are open. Close one.", {
        headers: { "Retry-After": String(retryAfterSeconds) },
      });
    }
    return release;
  };
  const mayRead = async (watcher: Caller): Promise<boolean> => {
    const caller = (await recheck(watcher))?.caller;
    return (
      caller?.enterpriseId === watcher.enterpriseId &&
      reachOf(caller.role, "webhooks.read") !== undefined
    );
  };

  return {
    snapshot: async (caller) => {
      const latest = poller.latest(caller.enterpriseId);
      if (latest !== undefined && latest.view.intervals.length > 0) {
        return snapshotOf(latest.view, latest.at);
      }
      const release = acquire(snapshotSemaphore, caller);
      let ignore: (() => void) | undefined;
      try {
        const seen = new Promise<PresentedSnapshot>((resolve) => {
          ignore = poller.watch(caller.enterpriseId, (view, { at }) => {
            if (view.intervals.length > 0) {
              resolve(snapshotOf(view, at));
            }
          });
        });
        return await withTimeout(seen, longestWaitMs, "No look at the deliveries succeeded");
      } finally {
        ignore?.();
        release();
      }
    },
    stream: (caller) => {
      const release = acquire(streamSemaphore, caller);
      const over = new AbortController();
      open.add(over);
      if (stopping.aborted) {
        over.abort();
      }
      return createLiveStream({
        listen: (onMessage) =>
          poller.watch(caller.enterpriseId, (view, update) => onMessage(textOf(view, update))),
        mayRead: () => mayRead(caller),
        controller: over,
        onGone: () => {
          open.delete(over);
          release();
        },
        times,
      });
    },
  };
}

/** One text for all who watch the same enterprise. */
function createTexts(snapshotOf: ReturnType<typeof createSnapshots>) {
  const texts = new WeakMap<LiveView, LiveMessage>();
  return (view: LiveView, { at, number }: { at: Date; number: number }): LiveMessage => {
    const known = texts.get(view);
    if (known !== undefined) {
      return known;
    }
    const message = {
      id: number,
      update: once(() => presentUpdate(view, at)),
      snapshot: once(() => snapshotOf(view, at)),
    };
    texts.set(view, message);
    return message;
  };
}

/** Serialized once for all, and only if it is needed. */
function once(make: () => unknown): () => string {
  let made: string | undefined;
  return () => (made ??= JSON.stringify(make()));
}

/** One snapshot per view. */
function createSnapshots() {
  const snapshots = new WeakMap<LiveView, PresentedSnapshot>();
  return (view: LiveView, at: Date): PresentedSnapshot => {
    const snapshot = snapshots.get(view) ?? presentSnapshot(view, at);
    snapshots.set(view, snapshot);
    return snapshot;
  };
}
