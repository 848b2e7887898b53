/**
 * Whether this tab can reach the server. While it cannot, a single probe with backoff replaces all
 * polling.
 */
import { backoffMs } from "./backoff.ts";

export type ConnectionState = Readonly<{
  isAway: boolean;
  /** When the next probe starts, in milliseconds since 1970; undefined while one is running. */
  nextProbeAt?: number | undefined;
}>;

export type ConnectionDeps = Readonly<{
  /** Whether the server answers. Never rejects. */
  probe(): Promise<boolean>;
  random?: () => number;
  nowMs?: () => number;
  schedule?: (run: () => void, ms: number) => () => void;
}>;

export type Connection = {
  state(): ConnectionState;
  /** Called on every change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Reports a network error. */
  reportAway(): void;
  /** Reports a successful call, which resets the backoff. */
  reportAnswer(): void;
  /** Probes at once, for the user's retry button. */
  probeNow(): void;
};

const reachable: ConnectionState = { isAway: false };

const probeTimeoutMs = 8_000;

/** The connection state of this tab. */
export const connection = createConnection({ probe: fetchReady });

export function createConnection({
  probe,
  random = Math.random,
  nowMs = Date.now,
  schedule = scheduleTimeout,
}: ConnectionDeps): Connection {
  const listeners = new Set<() => void>();
  let state = reachable;
  // Not reset by a successful probe, because later calls may still fail.
  let failures = 0;
  let cancel = (): void => {};
  let isProbing = false;

  function change(next: ConnectionState): void {
    state = next;
    listeners.forEach((notify) => notify());
  }

  function wait(): void {
    failures += 1;
    const ms = backoffMs(failures, { random });
    cancel = schedule(() => void probeOnce(), ms);
    change({ isAway: true, nextProbeAt: nowMs() + ms });
  }

  async function probeOnce(): Promise<void> {
    if (isProbing || !state.isAway) {
      return;
    }
    cancel();
    isProbing = true;
    change({ isAway: true });
    const isBack = await probe();
    isProbing = false;
    if (!state.isAway) {
      return; // a call has succeeded since
    }
    if (isBack) {
      change(reachable);
    } else {
      wait();
    }
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reportAway: () => {
      if (!state.isAway) {
        wait();
      }
    },
    reportAnswer: () => {
      failures = 0;
      if (state.isAway) {
        cancel();
        change(reachable);
      }
    },
    probeNow: () => void probeOnce(),
  };
}

function scheduleTimeout(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** A proxy may hide `/readyz`, so any status below 500 counts. */
async function fetchReady(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const { status } = await fetch("/readyz", { signal });
    return status < 500;
  } catch {
    return false;
  }
}
