import type { Readable } from "node:stream";
import { problem, type Problem } from "../../contracts/problems.ts";
import { reachOf, type Authenticated } from "../../http/authorize.ts";
import type { Caller } from "../../http/route.ts";
import {
  createTenantSemaphore,
  type TenantSemaphore,
} from "../../platform/concurrency/limiters.ts";
import { withDeadline } from "../../platform/concurrency/async.ts";
import { streamTimes, type StreamTimes, createPacedStream } from "../pull/stream.ts";
import { presentUpdate, presentSnapshot } from "./present.ts";
import { createLivePoller, type LivePoller } from "./poller.ts";
import type { LivePollerDeps } from "./refresh-counts.ts";
import type { LiveView } from "./view.ts";

export type LiveDeps = LivePollerDeps & {
  /** Re-checks a token or session; undefined if it is no longer valid. */
  recheck: (caller: Caller) => Promise<Authenticated | undefined>;
  times?: StreamTimes;
};

export type PresentedSnapshot = ReturnType<typeof presentSnapshot>;

/** The current state of an enterprise's deliveries. */
export type Live = {
  /**
   * One snapshot. Immediate if the enterprise is being polled, else after two seconds: a rate needs
   * two polls.
   */
  snapshot(caller: Caller): Promise<PresentedSnapshot>;
  /**
   * Streams a view each second until the client disconnects, loses its permission, or the process
   * stops.
   */
  stream(caller: Caller, updateEvent: UpdateEvent): Readable;
};

/** The event name of updates. `beat` is the old name of `update`, kept for one version. */
export type UpdateEvent = "update" | "beat";

/** `update` requires the message before it; `snapshot` does not. */
export type LiveMessage = { id: number; update: () => string; snapshot: () => string };

export type LiveStreamDeps = {
  /** Calls back with each message, until the returned function is called. */
  listen: (onMessage: (message: LiveMessage) => void) => () => void;
  /** Whether the client's token is still valid and permits reading. */
  mayRead: () => Promise<boolean>;
  /** Ends the stream. */
  controller: AbortController;
  updateEvent: UpdateEvent;
  onGone: () => void;
  times: StreamTimes;
};

const streamLimits = { perUser: 4, perTenant: 20, total: 300 };

/** Requests that wait for a poll. One poll serves all requests of an enterprise. */
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
      const controller = new AbortController();
      open.add(controller);
      if (stopping.aborted) {
        controller.abort();
      }
      try {
        const { view, at } = await withDeadline(controller.signal, longestWaitMs, (signal) =>
          nextView(poller, caller.enterpriseId, signal),
        );
        return snapshotOf(view, at);
      } finally {
        open.delete(controller);
        release();
      }
    },
    stream: (caller, updateEvent) => {
      const release = acquire(streamSemaphore, caller);
      const controller = new AbortController();
      open.add(controller);
      if (stopping.aborted) {
        controller.abort();
      }
      return createLiveStream({
        listen: (onMessage) =>
          poller.watch(caller.enterpriseId, (view, update) => onMessage(textOf(view, update))),
        mayRead: () => mayRead(caller),
        controller,
        updateEvent,
        onGone: () => {
          open.delete(controller);
          release();
        },
        times,
      });
    },
  };
}

/** The next view with figures. Rejects when the signal aborts. */
async function nextView(
  poller: LivePoller,
  enterpriseId: number,
  signal: AbortSignal,
): Promise<Readonly<{ view: LiveView; at: Date }>> {
  let ignore: (() => void) | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const giveUp = (): void => reject(unavailable());
      signal.addEventListener("abort", giveUp);
      if (signal.aborted) {
        giveUp();
      }
      ignore = poller.watch(enterpriseId, (view, { at }) => {
        if (view.intervals.length > 0) {
          resolve({ view, at });
        }
      });
    });
  } finally {
    ignore?.();
  }
}

/** The database did not answer in time, or the process stops. */
function unavailable(): Problem {
  return problem("dependency_down", "The deliveries could not be read. Try again.", {
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

function acquire(semaphore: TenantSemaphore, { enterpriseId, userId }: Caller): () => void {
  const release = semaphore.tryAcquire(enterpriseId, userId);
  if (release === undefined) {
    throw problem("rate_limited", "Too many live views are open. Close one.", {
      headers: { "Retry-After": String(retryAfterSeconds) },
    });
  }
  return release;
}

/** Serializes each message once for all clients of an enterprise. */
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

/** Memoizes the serialized value. */
function once(make: () => unknown): () => string {
  let made: string | undefined;
  return () => (made ??= JSON.stringify(make()));
}

/** Memoizes the snapshot of each view. */
function createSnapshots() {
  const snapshots = new WeakMap<LiveView, PresentedSnapshot>();
  return (view: LiveView, at: Date): PresentedSnapshot => {
    const snapshot = snapshots.get(view) ?? presentSnapshot(view, at);
    snapshots.set(view, snapshot);
    return snapshot;
  };
}

/** The `retry` time of the event stream. */
const reconnectMs = 2_000;

/**
 * In: views, once per second. Out: server-sent events.
 * Guarantee: a slow client delays no other and gets no outdated message: messages that it did not
 * read in time are dropped, and it gets a new snapshot.
 */
function createLiveStream(deps: LiveStreamDeps): Readable {
  const { controller, times } = deps;
  const { signal } = controller;
  const slot = createLatestMessageSlot(deps.updateEvent);
  signal.addEventListener("abort", slot.ring);
  const ignore = deps.listen(slot.put);
  const timer = setTimeout(() => controller.abort(), times.mostMs);
  const outlet = createPacedStream(signal, () => {
    clearTimeout(timer);
    ignore();
    controller.abort();
    deps.onGone();
  });
  const run = async (): Promise<void> => {
    let checkAtMs = performance.now() + times.checkMs;
    await outlet.write(`retry: ${reconnectMs}\n\n`);
    while (!signal.aborted) {
      if (performance.now() >= checkAtMs) {
        checkAtMs = performance.now() + times.checkMs;
        if (!(await deps.mayRead())) {
          break;
        }
      }
      await slot.wait(Math.min(times.heartbeatMs, times.checkMs));
      if (!signal.aborted) {
        await outlet.write(slot.take() ?? ": keep-alive\n\n");
      }
    }
  };
  // After a failed permission check the client reconnects and gets a new snapshot.
  void run()
    .catch(() => undefined)
    .finally(() => outlet.end());
  return outlet.stream;
}

/** Holds the newest message. After a dropped message the next one must be a snapshot. */
function createLatestMessageSlot(updateEvent: UpdateEvent) {
  let latest: LiveMessage | undefined;
  let isWhole = true;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    ring,
    put: (message: LiveMessage): void => {
      isWhole ||= latest !== undefined;
      latest = message;
      ring();
    },
    take: (): string | undefined => {
      const message = latest;
      latest = undefined;
      if (message === undefined) {
        return undefined;
      }
      const text = isWhole
        ? toText("snapshot", message.id, message.snapshot())
        : toText(updateEvent, message.id, message.update());
      isWhole = false;
      return text;
    },
    wait: (mostMs: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(ring, mostMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (latest !== undefined) {
          ring();
        }
      }),
  };
}

function toText(event: string, id: number, data: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}
