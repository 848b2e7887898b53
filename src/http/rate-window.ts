/** In-process counts and their batched synchronisation with the shared store. */
import type { RateStore } from "./rate-store.ts";

/** A batch of calls for the store. `sent` resolves with undefined if the store failed. */
export type CountBatch = {
  points: number;
  isAwaited: boolean;
  sent: Promise<number | undefined>;
  resolve: (total?: number) => void;
};

export type RateWindow = {
  endsAtMs: number;
  /** Calls of all processes as last reported by the store, plus those flushed since. */
  total: number;
  /** Counted here, not flushed yet. */
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
   * Sends the pending batch now; calls that arrive meanwhile are sent right after. Never rejects.
   */
  flush(key: string, window: RateWindow): Promise<void>;
  /** Sends the pending batch after a short delay. */
  flushSoon(key: string, window: RateWindow): void;
  /** Stops using the store for `backOffMs` after a failure or time-out. */
  backOff(): void;
  isBackingOff(): boolean;
};

export function createWindow(endsAtMs: number): RateWindow {
  return {
    endsAtMs,
    total: 0,
    open: undefined,
    isSending: false,
    isKnown: false,
    timer: undefined,
  };
}

export function createBatch(): CountBatch {
  let resolve: CountBatch["resolve"] = () => undefined;
  const sent = new Promise<number | undefined>((settle) => {
    resolve = settle;
  });
  return { points: 0, isAwaited: false, sent, resolve };
}

export function countOf(window: RateWindow): number {
  return window.total + (window.open?.points ?? 0);
}

export function createCountSync(deps: CountSyncDeps): CountSync {
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
