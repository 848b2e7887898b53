import { availableParallelism } from "node:os";
import type { TaskLane } from "../../contracts/jobs.ts";

export type LaneLimits = Readonly<{
  /** Tasks of one process that run at once. */
  concurrency: number;
  /** A worker that died lets go of its tasks after this. Who lives renews it, three times within. */
  leaseMs: number;
  /** A task that takes longer is stopped, and comes again. */
  timeoutMs: number;
  /** Hints in the lane's queue above which nothing is added: the rest waits in the table. */
  highWater: number;
}>;

/** Text recognition takes a whole core, and one is left for everything else. */
const mediaAtOnce = Math.max(1, availableParallelism() - 1);

export const laneLimits: Readonly<Record<TaskLane, LaneLimits>> = {
  timers: { concurrency: 8, leaseMs: 30_000, timeoutMs: 20_000, highWater: 500 },
  messages: { concurrency: 16, leaseMs: 60_000, timeoutMs: 45_000, highWater: 500 },
  media: {
    concurrency: mediaAtOnce,
    leaseMs: 120_000,
    timeoutMs: 3_600_000,
    highWater: 50,
  },
};
