/** What is going on in one enterprise, second by second, as those who watch it see it. Pure. */
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

/** Attempts that ended in an interval; `at` is its end. */
export type TimeBucket = { at: Date; seconds: number; tally: AttemptTally };

/** What is read rarely, since it costs more. */
export type LiveCounts = {
  at: Date;
  backlogs: ReadonlyMap<number, SubscriptionBacklog>;
  /** When the oldest event happened that has not become deliveries yet. */
  oldestEvent: Date | null;
  deadToday: number;
};

type LiveInterval = TimeBucket & { ofWebhooks: ReadonlyMap<number, AttemptTally> };

export type LiveView = {
  buckets: readonly TimeBucket[];
  /** The last few of those that were watched. */
  intervals: readonly LiveInterval[];
  webhooks: readonly LiveWebhookRow[];
  tail: readonly SettledAttempt[];
  /** Attempts of the last second that the tail leaves out. */
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

/** The view after its first poll, which ends no interval. */
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

/** Rates and percentiles are of so many seconds: one second alone is noise. */
const intervalsMs = 5_000;

/** The view after another moment. */
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

/** How many a second, of the last moments. */
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

/** Both histograms of the last moments. */
export function timesOf(view: LiveView): Pick<AttemptTally, "latencies" | "answers"> {
  const tallies = latest(view).map(({ tally }) => tally);
  return {
    latencies: tallies.reduce<number[]>((sum, one) => addHistograms(sum, one.latencies), []),
    answers: tallies.reduce<number[]>((sum, one) => addHistograms(sum, one.answers), []),
  };
}

/** The last moments; of a view that has just been opened, what is known of the time before. */
function latest({ intervals, buckets }: LiveView): readonly TimeBucket[] {
  return intervals.length > 0 ? intervals : buckets.slice(-1);
}

const stepMs = 10_000;

/**
 * An interval for each ten seconds, without gaps: a chart cannot tell a missing interval from an
 * empty one. The last one ends where the sums end. Pure.
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
