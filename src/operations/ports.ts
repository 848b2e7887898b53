/** What the operations on the platform itself need of the others. */
import type { ObjectKind } from "../contracts/events.ts";
import type { TaskLane } from "../contracts/jobs.ts";

/** What a queue holds, and who takes from it. */
export type QueueReading = Readonly<{
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** Since when the oldest one waits. */
  oldestWaiting: Date | undefined;
  /** Processes that take from it. */
  workers: number;
}>;

/** Tasks of a lane as the ledger has them, counted up to a bound. */
export type LaneReading = Readonly<{
  waiting: number;
  due: number;
  queued: number;
  running: number;
  failed: number;
  /** Ended well within the last minute. */
  doneLastMinute: number;
  /** Since when the oldest should have been run. */
  oldest: Date | null;
}>;

/** Of one minute that is over and counted to its end. */
export type RatesReading = Readonly<{
  /** The end of the minute, and how long it is. */
  until: Date;
  seconds: number;
  /** How many a second, of each object kind that had any. */
  queues: readonly Readonly<{
    object: ObjectKind;
    /** Deliveries that were made. */
    made: number;
    /** Attempts that ended, by their result. */
    delivered: number;
    failed: number;
  }>[];
  attemptsPerSecond: number;
  failedPerSecond: number;
}>;

export type PipelineReading = Readonly<{
  outbox: Readonly<{
    rows: number;
    oldest: Date | null;
    /** Events that broke; when the first of them did, and why the last did. */
    aside: number;
    asideSince: Date | null;
    asideReason: string | null;
  }>;
  /** Since when the oldest delivery should have been tried. */
  pastDue: Date | null;
  windows: Readonly<{ allowed: number; inFlight: number }>;
  receivers: Readonly<Record<"active" | "failing" | "throttled" | "open" | "off", number>>;
  rates: RatesReading;
}>;

export type PassReading = Readonly<{
  name: string;
  everyMs: number;
  ranAt: Date;
  tookMs: number;
  failingSince: Date | null;
  reason: string | null;
}>;

/** Reads that are bounded, whatever waits. Those of queues reject while their store is away. */
export type Readings = Readonly<{
  deliveryQueue: (object: ObjectKind) => Promise<QueueReading>;
  taskQueue: (lane: TaskLane) => Promise<QueueReading>;
  lane: (lane: TaskLane, now: Date) => Promise<LaneReading>;
  pipeline: (now: Date) => Promise<PipelineReading>;
  passes: () => Promise<PassReading[]>;
}>;
