/**
 * Whether the platform can be reached, as this tab knows it. Once it cannot, a single probe with
 * growing pauses asks for all that wait; nothing else that asks by itself is sent meanwhile.
 */
import { backoffMs } from "./backoff.ts";

export type ConnectionState = Readonly<{
  isAway: boolean;
  /** When the next probe starts, in milliseconds since 1970; undefined while one is under way. */
  nextProbeAt?: number | undefined;
}>;

export type ConnectionDeps = Readonly<{
  /** Whether the platform answers. Never rejects. */
  probe(): Promise<boolean>;
  random?: () => number;
  nowMs?: () => number;
  schedule?: (run: () => void, ms: number) => () => void;
}>;

export type Connection = {
  state(): ConnectionState;
  /** Called with every change. Returns what ends that. */
  subscribe(listener: () => void): () => void;
  /** Something could not reach the platform. */
  reportAway(): void;
  /** The platform answered a call: from here on pauses are short again. */
  reportAnswer(): void;
  /** Somebody does not want to wait for the next probe. */
  probeNow(): void;
};

const reachable: ConnectionState = { isAway: false };

const probeTimeoutMs = 8_000;

/** Of this tab. */
export const connection = createConnection({ probe: fetchReady });

export function createConnection({
  probe,
  random = Math.random,
  nowMs = Date.now,
  schedule = scheduleTimeout,
}: ConnectionDeps): Connection {
  const listeners = new Set<() => void>();
  let state = reachable;
  // Not reset by a probe that succeeds: what is asked for afterwards may fail all the same.
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
      return; // a call was answered meanwhile
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

/** A proxy may hide `/readyz`; that something answered for the platform is enough. */
async function fetchReady(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const { status } = await fetch("/readyz", { signal });
    return status < 500;
  } catch {
    return false;
  }
}
