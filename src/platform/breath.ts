import { setImmediate as nextTurn } from "node:timers/promises";

const longestMs = 15;

/**
 * For work that may take long without waiting for anything: called between its steps, it lets the
 * rest of the process go on every few milliseconds. So it must be safe for others to run there.
 */
export function createBreath(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs >= longestMs) {
      await nextTurn();
      sinceMs = performance.now();
    }
  };
}
