import { availableParallelism, loadavg } from "node:os";

/** Beyond this a slow result is a fault whatever else the machine does. */
const most = 8;

/**
 * A bound that is promised for a machine with a core to spare, in milliseconds: longer by as much
 * as more programs want to run than there are cores. Exact on a quiet machine.
 */
export function promised(ms: number): number {
  const [lastMinute = 0] = loadavg();
  return ms * Math.min(most, Math.max(1, lastMinute / availableParallelism()));
}
