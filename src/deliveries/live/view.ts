/** The live view of one enterprise, updated every second. Pure. */
import {
  addToTally,
  emptyTally,
  type AttemptSumRow,
  type AttemptTally,
  addHistograms,
} from "../../pipeline/ledger/attempt-tallies.ts";
import type { SubscriptionBacklog } from "../../pipeline/ledger/queries/backlog-counts.ts";
import type {
  SettledAttempt,
  LiveWebhookRow,
  RecentSums,
} from "../../pipeline/ledger/queries/live.ts";

/** Attempts that ended in an interval; `at` is the end of the interval. */
export type TimeBucket = { at: Date; seconds: number; tally: AttemptTally };

/** Counts that are read rarely because they are expensive. */
export type LiveCounts = {
  at: Date;
  backlogs: ReadonlyMap<number, SubscriptionBacklog>;
  /** When the oldest event occurred that has not been fanned out. */
  oldestEvent: Date | null;
  deadToday: number;
};

type LiveInterval = TimeBucket & { ofWebhooks: ReadonlyMap<number, AttemptTally> };

export type LiveView = {
  buckets: readonly TimeBucket[];
  /** The newest attempts. */
  intervals: readonly LiveInterval[];
  webhooks: readonly LiveWebhookRow[];
  tail: readonly SettledAttempt[];
  /** Attempts of the last second that do not fit into the tail. */
  leftOut: number;
  counted: LiveCounts;
};

export type LiveSnapshot = {
  at: Date;
  seconds: number;
  sums: readonly AttemptSumRow[];
  tail: readonly SettledAttempt[];
  webhooks: readonly LiveWebhookRow[];
};

export type DeliveryRates = { delivered: number; failed: number; retried: number };

/** The view after the first poll, which has no interval yet. */
export function withWebhooks(
  view: LiveView,
  { webhooks }: Pick<LiveSnapshot, "webhooks">,
): LiveView {
  return {
    ...view,
    webhooks,
  };
}

const bucketsMs = 300_000;

/** Rates and percentiles cover this many seconds: a single second is noise. */
const intervalsMs = 5_000;

/** The view after the next poll. */
export function withSnapshot(view: LiveView, snapshot: LiveSnapshot): LiveView {
  const { at, seconds, sums, tail, webhooks } = snapshot;
  const tally = tallyOf(sums);
  const bucket = { at, seconds, tally };
  const time = { ...bucket, ofWebhooks: byWebhook(sums) };
  return {
    ...view,
    webhooks,
    tail,
    leftOut: tally.delivered + tally.failed - tail.length,
    buckets: since([...view.buckets, bucket], at, bucketsMs),
    intervals: since([...view.intervals, time], at, intervalsMs),
  };
}

function tallyOf(sums: readonly AttemptSumRow[]): AttemptTally {
  const tally = emptyTally();
  sums.forEach((sum) => addToTally(tally, sum));
  return tally;
}

function byWebhook(sums: readonly AttemptSumRow[]): ReadonlyMap<number, AttemptTally> {
  const tallies = new Map<number, AttemptTally>();
  for (const sum of sums) {
    const tally = tallies.get(sum.subscription_id) ?? emptyTally();
    tallies.set(sum.subscription_id, tally);
    addToTally(tally, sum);
  }
  return tallies;
}

/** Rates per second over the recent intervals. */
export function ratesOf(view: LiveView): DeliveryRates {
  return perSecond(
    latest(view).map(({ tally }) => tally),
    secondsOf(latest(view)),
  );
}

export function ratesOfWebhook({ intervals }: LiveView, id: number): DeliveryRates {
  return perSecond(
    intervals.flatMap(({ ofWebhooks }) => ofWebhooks.get(id) ?? []),
    secondsOf(intervals),
  );
}

function perSecond(tallies: readonly AttemptTally[], seconds: number): DeliveryRates {
  const rateOf = (key: keyof DeliveryRates): number => {
    const count = tallies.reduce((sum, tally) => sum + tally[key], 0);
    return seconds === 0 ? 0 : Math.round((count * 10) / seconds) / 10;
  };
  return {
    delivered: rateOf("delivered"),
    failed: rateOf("failed"),
    retried: rateOf("retried"),
  };
}

function secondsOf(times: readonly TimeBucket[]): number {
  return times.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Both histograms over the recent intervals. */
export function timesOf(view: LiveView): Pick<AttemptTally, "latencies" | "answers"> {
  const tallies = latest(view).map(({ tally }) => tally);
  return {
    latencies: tallies.reduce<number[]>((sum, one) => addHistograms(sum, one.latencies), []),
    answers: tallies.reduce<number[]>((sum, one) => addHistograms(sum, one.answers), []),
  };
}

/** The recent intervals; in a new view, the stored tallies. */
function latest({ intervals, buckets }: LiveView): readonly TimeBucket[] {
  return intervals.length > 0 ? intervals : buckets.slice(-1);
}

const stepMs = 10_000;

/**
 * Ten-second intervals without gaps: a chart cannot tell a missing interval from an empty one. The
 * last one ends where the tallies end. Pure.
 */
export function recentBuckets({ rows, until }: RecentSums, from: Date): TimeBucket[] {
  const tallies = new Map(rows.map(({ at, ...tally }) => [at.getTime(), tally]));
  const first = Math.ceil(from.getTime() / stepMs) * stepMs;
  const count = Math.max(0, Math.ceil((until.getTime() - first) / stepMs));
  return Array.from({ length: count }, (_, index) => {
    const begin = first + index * stepMs;
    const end = Math.min(begin + stepMs, until.getTime());
    return {
      at: new Date(end),
      seconds: (end - begin) / 1_000,
      tally: tallies.get(begin) ?? emptyTally(),
    };
  });
}

function since<T extends TimeBucket>(buckets: readonly T[], now: Date, ms: number): T[] {
  return buckets.filter(({ at }) => now.getTime() - at.getTime() < ms);
}
