import { availableParallelism, loadavg } from "node:os";

/** Largest factor: a result that is slower than this is a fault under any load. */
const most = 8;

/**
 * Smallest factor with parallel files, because the load average lags in the first minute of a run.
 */
const least = process.env["MOCHA_WORKER_ID"] === undefined ? 1 : 2;

/**
 * Scales a guaranteed time limit, in milliseconds, by the machine's load: unchanged on an idle
 * machine, longer if more programs want to run than there are cores, and at least doubled if test
 * files run in parallel.
 */
export function promised(ms: number): number {
  const [lastMinute = 0] = loadavg();
  return ms * Math.min(most, Math.max(least, lastMinute / availableParallelism()));
}
