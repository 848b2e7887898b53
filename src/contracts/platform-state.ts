/** The state of the pipeline, as the pipeline reads it and the operators' page shows it. */
import type { ObjectKind } from "./events.ts";

/** Events that are not fanned out yet. Counts have an upper bound. */
export type OutboxState = Readonly<{
  rows: number;
  /** When the oldest event occurred. */
  oldest: Date | null;
  /** Events that could not be fanned out, the first failure, and the reason of the last. */
  deadLetters: number;
  deadLettersSince: Date | null;
  deadLetterReason: string | null;
}>;

/** The concurrency windows of all subscriptions: how many requests they allow and have in flight. */
export type WindowTotals = Readonly<{ allowed: number; inFlight: number }>;

export const subscriptionStates = ["active", "failing", "throttled", "open", "off"] as const;

export type SubscriptionCounts = Readonly<Record<(typeof subscriptionStates)[number], number>>;

/** Rates per second: created deliveries, and finished attempts by result. */
export type QueueRates = Readonly<{
  object: ObjectKind;
  made: number;
  delivered: number;
  failed: number;
}>;

/** The rates of the last complete minute. */
export type PlatformRates = Readonly<{
  /** The end of the minute, and its length. */
  until: Date;
  seconds: number;
  /** Object kinds with any activity. */
  queues: readonly QueueRates[];
  attemptsPerSecond: number;
  failedPerSecond: number;
}>;

/** The last run of a recurring pass of the schedule. */
export type PassState = Readonly<{
  name: string;
  everyMs: number;
  ranAt: Date;
  tookMs: number;
  failingSince: Date | null;
  reason: string | null;
}>;
