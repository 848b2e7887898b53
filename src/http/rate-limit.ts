/**
 * Counts calls per key in fixed windows. The counts are shared through a store (Redis, else
 * Postgres), but no request fails or waits long because of the store:
 *
 * - Far from the limit a call is counted in memory and waits for nothing. The store gets at most one
 *   batch per key and `flushEveryMs`: on Postgres, each is the update of a row.
 * - A key's first call, and calls from `nearShare` of the limit on, wait at most `waitMs` for the
 *   shared count, so that processes agree where it matters. Concurrent calls of one key share a round
 *   trip.
 * - While the store does not answer, every process counts alone and retries after a pause.
 *
 * A single process is exact. Several processes exceed the limit only if they receive, within
 * `flushEveryMs`, more calls than are left above `nearShare`.
 */
import { problem, type Problem } from "../contracts/problems.ts";
import { withTimeout } from "../platform/concurrency/async.ts";
import type { RateStore } from "./rate-store.ts";

export type RateVerdict = Readonly<{
  isAllowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}>;

export type RateLimiter = {
  /** Counts this call; waits for the shared count only near the limit. Never rejects. */
  take(key: string): Promise<RateVerdict>;
  /** Tells whether another call would be allowed, without counting it. Never rejects. */
  peek(key: string): Promise<RateVerdict>;
  /** Refunds one call that `take` counted, while its window is open. */
  refund(key: string): void;
  /** Resets the count of the key. Never rejects. */
  reset(key: string): Promise<void>;
};

export type RateLimiterDeps = {
  store: RateStore;
  limit: number;
  windowMs: number;
  nowMs?: () => number;
  waitMs?: number;
  flushEveryMs?: number;
  /** How long the store is not used after a failure. */
  backOffMs?: number;
  /** Share of the limit from which calls wait for the store; 0 = always. */
  nearShare?: number;
};

/** A batch of calls for the store. `sent` resolves with undefined if the store failed. */
export type CountBatch = {
  points: number;
  isAwaited: boolean;
  sent: Promise<number | undefined>;
  resolve: (total?: number) => void;
};

export type RateWindow = {
  endsAtMs: number;
  /** Calls of all processes as last reported by the store, plus calls flushed since. */
  total: number;
  /** Counted in this process, not flushed yet. */
  open: CountBatch | undefined;
  isSending: boolean;
  /** False until the store has answered for this window. */
  isKnown: boolean;
  timer: NodeJS.Timeout | undefined;
};

export type CountSyncDeps = {
  store: RateStore;
  windowMs: number;
  flushEveryMs: number;
  backOffMs: number;
  nowMs: () => number;
};

export type CountSync = {
  /**
   * Sends the pending batch now; calls that arrive during that are sent right after. Never rejects.
   */
  flush(key: string, window: RateWindow): Promise<void>;
  /** Sends the pending batch after a short delay. */
  flushSoon(key: string, window: RateWindow): void;
  /** Stops using the store for `backOffMs` after a failure or time-out. */
  backOff(): void;
  isBackingOff(): boolean;
};

export function createRateLimiter(deps: RateLimiterDeps): RateLimiter {
  const { store, limit, windowMs, nowMs = () => performance.now() } = deps;
  const { waitMs = 50, flushEveryMs = 50, backOffMs = 1_000, nearShare = 0.8 } = deps;
  const sync = createCountSync({ store, windowMs, flushEveryMs, backOffMs, nowMs });
  const windows = new Map<string, RateWindow>();

  const windowOf = (key: string): RateWindow =>
    openWindow(windows, key, { now: nowMs(), windowMs });

  const verdict = (window: RateWindow, count: number, isAllowed: boolean): RateVerdict => ({
    isAllowed,
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil((window.endsAtMs - nowMs()) / 1000)),
  });

  /** The count including this call: from the store near the limit, if it answers in time. */
  const countIn = async (key: string, window: RateWindow, points: 0 | 1): Promise<number> => {
    const batch = (window.open ??= createBatch());
    batch.points += points;
    const placeInBatch = batch.points;
    const ownCount = countOf(window);
    const isFar = window.isKnown && points > 0 && ownCount <= limit * nearShare;
    if (isFar || sync.isBackingOff()) {
      sync.flushSoon(key, window);
      return ownCount;
    }
    batch.isAwaited = true;
    void sync.flush(key, window);
    const total = await withTimeout(batch.sent, waitMs, "late").catch(() => "late" as const);
    if (total === "late") {
      sync.backOff();
    }
    return typeof total === "number" ? total - batch.points + placeInBatch : ownCount;
  };

  return {
    take: async (key) => {
      const window = windowOf(key);
      const before = countOf(window);
      if (before >= limit) {
        return verdict(window, before, false);
      }
      const count = await countIn(key, window, 1);
      return verdict(window, count, count <= limit);
    },
    peek: async (key) => {
      const window = windowOf(key);
      const count = await countIn(key, window, 0);
      return verdict(window, count, count < limit);
    },
    refund: (key) => {
      const window = windows.get(key);
      if (window !== undefined && window.endsAtMs > nowMs()) {
        (window.open ??= createBatch()).points -= 1;
        sync.flushSoon(key, window);
      }
    },
    reset: async (key) => {
      clearTimeout(windows.get(key)?.timer);
      windows.delete(key);
      await withTimeout(store.reset(key), waitMs, "late").catch(() => undefined);
    },
  };
}

function createCountSync(deps: CountSyncDeps): CountSync {
  const { store, windowMs, flushEveryMs, backOffMs, nowMs } = deps;
  let restUntilMs = 0;

  const rest = (): void => {
    restUntilMs = nowMs() + backOffMs;
  };

  const flushSoon = (key: string, window: RateWindow): void => {
    if (window.open !== undefined && window.timer === undefined && !window.isSending) {
      const delayMs = Math.max(flushEveryMs, restUntilMs - nowMs());
      window.timer = setTimeout(() => void flush(key, window), delayMs);
      window.timer.unref();
    }
  };

  const sendBatch = async (key: string, window: RateWindow, batch: CountBatch): Promise<void> => {
    window.open = undefined;
    window.isSending = true;
    window.total += batch.points;
    try {
      const { total, resetMs } = await store.add(key, batch.points);
      window.total = total;
      window.isKnown = true;
      window.endsAtMs = nowMs() + (resetMs > 0 ? resetMs : windowMs);
      batch.resolve(total);
    } catch {
      rest();
      batch.resolve();
    } finally {
      window.isSending = false;
    }
  };

  const flush = async (key: string, window: RateWindow): Promise<void> => {
    clearTimeout(window.timer);
    window.timer = undefined;
    while (window.open !== undefined && !window.isSending) {
      await sendBatch(key, window, window.open);
      if (!hasWaiting(window)) {
        flushSoon(key, window);
        return;
      }
    }
  };

  return {
    flush: flush,
    flushSoon: flushSoon,
    backOff: rest,
    isBackingOff: () => nowMs() < restUntilMs,
  };
}

function hasWaiting(window: RateWindow): boolean {
  return window.open?.isAwaited === true;
}

/** The current window of the key. */
function openWindow(
  windows: Map<string, RateWindow>,
  key: string,
  { now, windowMs }: { now: number; windowMs: number },
): RateWindow {
  const current = windows.get(key);
  if (current !== undefined && current.endsAtMs > now) {
    return current;
  }
  windows.delete(key);
  evictWindows(windows, now);
  const fresh = createWindow(now + windowMs);
  windows.set(key, fresh);
  return fresh;
}

const maxWindows = 50_000;

/** Bounds memory: evicts ended windows, or the oldest tenth if all are open. */
function evictWindows(windows: Map<string, RateWindow>, now: number): void {
  if (windows.size < maxWindows) {
    return;
  }
  for (const [key, window] of windows) {
    if (window.endsAtMs <= now || windows.size > maxWindows * 0.9) {
      windows.delete(key);
    }
  }
}

function createWindow(endsAtMs: number): RateWindow {
  return {
    endsAtMs,
    total: 0,
    open: undefined,
    isSending: false,
    isKnown: false,
    timer: undefined,
  };
}

function createBatch(): CountBatch {
  let resolve: CountBatch["resolve"] = () => undefined;
  const sent = new Promise<number | undefined>((settle) => {
    resolve = settle;
  });
  return { points: 0, isAwaited: false, sent, resolve };
}

function countOf(window: RateWindow): number {
  return window.total + (window.open?.points ?? 0);
}

export function rateLimited(verdict: RateVerdict, detail = "Too many requests."): Problem {
  return problem("rate_limited", `${detail} Try again in ${verdict.resetSeconds} s.`, {
    headers: { ...limitHeaders(verdict), "Retry-After": String(verdict.resetSeconds) },
  });
}

/** Rate limit headers, on every limited answer. Reset is in seconds. */
export function limitHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(verdict.limit),
    "X-RateLimit-Remaining": String(verdict.remaining),
    "X-RateLimit-Reset": String(verdict.resetSeconds),
  };
}
