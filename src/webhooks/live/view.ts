/** What is going on in one enterprise, second by second, as those who watch it see it. Pure. */
import { addSum, emptyTally, type SumRow, type Tally } from "../../pipeline/ledger/attempt-feed.ts";
import { addHistograms } from "../../pipeline/ledger/latency.ts";
import type { Backlog } from "./backlog-store.ts";
import type { SettledAttempt, WatchedRow } from "./store.ts";

/** Attempts that ended in a piece of time; `at` is its end. */
export type Bucket = { at: Date; seconds: number; tally: Tally };

/** What is read seldom, since it costs more. */
export type Counted = {
  at: Date;
  backlogs: ReadonlyMap<number, Backlog>;
  /** When the oldest event happened that has not become deliveries yet. */
  oldestEvent: Date | null;
  deadToday: number;
};

type Moment = Bucket & { ofWebhooks: ReadonlyMap<number, Tally> };

export type View = {
  buckets: readonly Bucket[];
  /** The last few of those that were watched. */
  moments: readonly Moment[];
  webhooks: readonly WatchedRow[];
  tail: readonly SettledAttempt[];
  /** Attempts of the last second that the tail leaves out. */
  leftOut: number;
  counted: Counted;
};

export type Beat = {
  at: Date;
  seconds: number;
  sums: readonly SumRow[];
  tail: readonly SettledAttempt[];
  webhooks: readonly WatchedRow[];
};

export type Rates = { delivered: number; failed: number; retried: number };

/** The view after its first look, which ends no piece of time that was watched. */
export function firstBeat(view: View, { webhooks }: Pick<Beat, "webhooks">): View {
  return {
    ...view,
    webhooks,
  };
}

const bucketsMs = 300_000;

/** Rates are told of so many seconds, percentiles too: one alone jumps about. */
const momentsMs = 5_000;

/** The view after another moment. */
export function afterBeat(view: View, beat: Beat): View {
  const { at, seconds, sums, tail, webhooks } = beat;
  const tally = tallyOf(sums);
  const bucket = { at, seconds, tally };
  const moment = { ...bucket, ofWebhooks: byWebhook(sums) };
  return {
    ...view,
    webhooks,
    tail,
    leftOut: tally.delivered + tally.failed - tail.length,
    buckets: since([...view.buckets, bucket], at, bucketsMs),
    moments: since([...view.moments, moment], at, momentsMs),
  };
}

function tallyOf(sums: readonly SumRow[]): Tally {
  const tally = emptyTally();
  sums.forEach((sum) => addSum(tally, sum));
  return tally;
}

function byWebhook(sums: readonly SumRow[]): ReadonlyMap<number, Tally> {
  const tallies = new Map<number, Tally>();
  for (const sum of sums) {
    const tally = tallies.get(sum.subscription_id) ?? emptyTally();
    tallies.set(sum.subscription_id, tally);
    addSum(tally, sum);
  }
  return tallies;
}

function since<T extends Bucket>(buckets: readonly T[], now: Date, ms: number): T[] {
  return buckets.filter(({ at }) => now.getTime() - at.getTime() < ms);
}

/** How many a second, of the last moments. */
export function ratesOf(view: View): Rates {
  return perSecond(
    latest(view).map(({ tally }) => tally),
    secondsOf(latest(view)),
  );
}

export function ratesOfWebhook({ moments }: View, id: number): Rates {
  return perSecond(
    moments.flatMap(({ ofWebhooks }) => ofWebhooks.get(id) ?? []),
    secondsOf(moments),
  );
}

function perSecond(tallies: readonly Tally[], seconds: number): Rates {
  const rateOf = (key: keyof Rates): number => {
    const count = tallies.reduce((sum, tally) => sum + tally[key], 0);
    return seconds === 0 ? 0 : Math.round((count * 10) / seconds) / 10;
  };
  return {
    delivered: rateOf("delivered"),
    failed: rateOf("failed"),
    retried: rateOf("retried"),
  };
}

function secondsOf(moments: readonly Bucket[]): number {
  return moments.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Both histograms of the last moments. */
export function timesOf(view: View): Pick<Tally, "latencies" | "answers"> {
  const tallies = latest(view).map(({ tally }) => tally);
  return {
    latencies: tallies.reduce<number[]>((sum, one) => addHistograms(sum, one.latencies), []),
    answers: tallies.reduce<number[]>((sum, one) => addHistograms(sum, one.answers), []),
  };
}

/** The last moments; of a view that has just been opened, what is known of the time before. */
function latest({ moments, buckets }: View): readonly Bucket[] {
  return moments.length > 0 ? moments : buckets.slice(-1);
}
