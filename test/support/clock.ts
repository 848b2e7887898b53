import type { Clock } from "../../src/platform/clock.ts";

export type TestClock = Clock & {
  /** Advances the time, which does not advance by itself. */
  advance(ms: number): void;
  set(time: Date): void;
};

/** A stopped clock that the test advances. */
export function createTestClock(start = new Date("2026-11-20T10:00:00.000Z")): TestClock {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    advance: (ms) => {
      nowMs += ms;
    },
    set: (time) => {
      nowMs = time.getTime();
    },
  };
}

/** A signal that aborts a pass after this many batches. */
export function stopAfter(batches: number): AbortSignal {
  let left = batches;
  return {
    get aborted() {
      left -= 1;
      return left < 0;
    },
  } as AbortSignal;
}
