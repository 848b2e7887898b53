import { availableParallelism, loadavg } from "node:os";

/** Beyond this a slow result is a fault whatever else the machine does. */
const most = 8;

/** The load of the last minute says little in the first one of a run. */
const least = process.env["MOCHA_WORKER_ID"] === undefined ? 1 : 2;

/**
 * A bound that is promised for a machine with a core to spare, in milliseconds: longer by as much
 * as more programs want to run than there are cores, and at least twice as long where files run side
 * by side. Exact on a quiet machine otherwise.
 */
export function promised(ms: number): number {
  const [lastMinute = 0] = loadavg();
  return ms * Math.min(most, Math.max(least, lastMinute / availableParallelism()));
}
