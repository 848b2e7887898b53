/** Counts of one process, and how they are told to the store that all processes share. */
import type { RateStore } from "./rate-store.ts";

/** Calls that are told to the store together. `sent` gives undefined where the store failed. */
export type CountBatch = {
  points: number;
  isAwaited: boolean;
  sent: Promise<number | undefined>;
  resolve: (total?: number) => void;
};

export type RateWindow = {
  endsAtMs: number;
  /** All processes' calls, as last heard from the store, and this one's told since. */
  total: number;
  /** Counted here, not told yet. */
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
  /** Sends what has gathered, now; what gathers meanwhile goes right after it. Never rejects. */
  flush(key: string, window: RateWindow): Promise<void>;
  /** The same a moment later, together with what comes until then. */
  flushSoon(key: string, window: RateWindow): void;
  /** Leaves the store alone for a while: it failed or was too slow. */
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

  const tellSoon = (key: string, window: RateWindow): void => {
    if (window.open !== undefined && window.timer === undefined && !window.isSending) {
      const delayMs = Math.max(flushEveryMs, restUntilMs - nowMs());
      window.timer = setTimeout(() => void tell(key, window), delayMs);
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

  const tell = async (key: string, window: RateWindow): Promise<void> => {
    clearTimeout(window.timer);
    window.timer = undefined;
    while (window.open !== undefined && !window.isSending) {
      await sendBatch(key, window, window.open);
      if (!hasWaiting(window)) {
        tellSoon(key, window);
        return;
      }
    }
  };

  return {
    flush: tell,
    flushSoon: tellSoon,
    backOff: rest,
    isBackingOff: () => nowMs() < restUntilMs,
  };
}

function hasWaiting(window: RateWindow): boolean {
  return window.open?.isAwaited === true;
}
