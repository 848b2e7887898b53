/** Converts counts and percentiles to chart columns. Pure. */
import type { Bucket, Series } from "./types.ts";

type Values = readonly (number | null)[];

export type Columns = Readonly<{
  /** Unix seconds. */
  times: readonly number[];
  delivered: Values;
  /** Failed attempts that will be retried. */
  failed: Values;
  dead: Values;
  p50: Values;
  p95: Values;
  p99: Values;
}>;

/** Live charts use this step, whatever bucket size the API sends. */
const stepSeconds = 5;

type Step = {
  /** Observed seconds in the step; 0 if the page was not connected. */
  known: number;
  delivered: number;
  failed: number;
  dead: number;
  latency: Percentiles;
};

type Percentiles = Bucket["latency_ms"];

const shownSeconds = 300;

const nobody: Percentiles = { p50: null, p95: null, p99: null };

/**
 * The last five minutes as rates per second, in equal steps. An idle step is 0; only unobserved
 * time is a gap. A step appears once half of it is over.
 */
export function liveColumns(buckets: readonly Bucket[]): Columns {
  const newest = secondsOf(buckets.at(-1)?.at ?? "");
  if (Number.isNaN(newest)) {
    return columnsOf([]);
  }
  const last = Math.floor(newest / stepSeconds) * stepSeconds;
  const first = last - shownSeconds;
  const all = Array.from({ length: shownSeconds / stepSeconds + 1 }, (): Step => ({
    ...{ known: 0, delivered: 0, failed: 0, dead: 0 },
    latency: nobody,
  }));
  buckets.forEach((bucket) => spread(all, first, bucket));
  const steps = all.filter((step, at) => at < all.length - 1 || !isBegun(step));
  const rateOf = (read: (step: Step) => number): Values =>
    steps.map((step) => (isKnown(step) ? read(step) / step.known : null));
  return {
    times: steps.map((_, at) => first + at * stepSeconds),
    delivered: rateOf(({ delivered }) => delivered),
    failed: rateOf(({ failed }) => failed),
    dead: rateOf(({ dead }) => dead),
    p50: steps.map(({ latency }) => latency.p50),
    p95: steps.map(({ latency }) => latency.p95),
    p99: steps.map(({ latency }) => latency.p99),
  };
}

function spread(steps: readonly Step[], first: number, bucket: Bucket): void {
  const end = secondsOf(bucket.at);
  const begin = end - bucket.seconds;
  const from = Math.max(0, Math.floor((begin - first) / stepSeconds));
  const to = Math.min(steps.length - 1, Math.floor((end - first) / stepSeconds));
  for (let at = from; at <= to; at += 1) {
    const start = first + at * stepSeconds;
    const seconds = Math.min(end, start + stepSeconds) - Math.max(begin, start);
    const step = steps[at];
    if (step !== undefined && seconds > 0) {
      addTo(step, bucket, seconds);
    }
  }
}

/** Adds the share of a bucket that overlaps the step. */
function addTo(step: Step, bucket: Bucket, seconds: number): void {
  const share = bucket.seconds > 0 ? seconds / bucket.seconds : 1;
  step.known += seconds;
  step.delivered += bucket.delivered * share;
  step.failed += Math.max(0, bucket.failed - bucket.dead) * share;
  step.dead += bucket.dead * share;
  // Percentiles are not additive, so the last ones of a step count.
  step.latency = bucket.latency_ms.p50 === null ? step.latency : bucket.latency_ms;
}

/** At least half of the step is observed. */
function isBegun({ known }: Step): boolean {
  return known < stepSeconds / 2;
}

function isKnown({ known }: Step): boolean {
  return known > 0;
}

/**
 * An unfinished step up to this length, in seconds, is dropped, because it would look like a drop
 * to zero.
 */
const longestLeftOut = 600;

/** The counts of each step, without the unfinished last one. */
export function seriesColumns(series: Series): Columns {
  const { data, step_seconds: step, counted_until: counted } = series;
  const until = counted === null ? 0 : secondsOf(counted);
  const isCounted = ({ at }: { at: string }): boolean =>
    step > longestLeftOut ? secondsOf(at) <= until : secondsOf(at) + step <= until;
  return columnsOf(data.filter(isCounted).map((point) => ({ ...point, per: 1 })));
}

type Point = Omit<Bucket, "seconds"> & { per: number };

function columnsOf(points: readonly Point[]): Columns {
  return {
    times: points.map(({ at }) => secondsOf(at)),
    delivered: points.map(({ delivered, per }) => delivered / per),
    failed: points.map(({ failed, dead, per }) => Math.max(0, failed - dead) / per),
    dead: points.map(({ dead, per }) => dead / per),
    p50: points.map(({ latency_ms: { p50 } }) => p50),
    p95: points.map(({ latency_ms: { p95 } }) => p95),
    p99: points.map(({ latency_ms: { p99 } }) => p99),
  };
}

function secondsOf(at: string): number {
  return Date.parse(at) / 1_000;
}
