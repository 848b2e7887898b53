/** Counts of attempts by result and by duration, which can be added. Pure. */

/** One element of `sumsSql`. */
export type AttemptSumRow = {
  enterprise_id: number;
  subscription_id: number;
  /** Seconds since the epoch. */
  at: number;
  answer: number | null;
  latency: number | null;
  delivered: number;
  failed: number;
  retried: number;
  dead: number;
};

/** Counts of attempts by result. */
export type AttemptTally = {
  delivered: number;
  failed: number;
  retried: number;
  dead: number;
  latencies: number[];
  answers: number[];
};

/** The last bucket is open-ended: it starts at 2^23 ms, which is 2 h 20 min. */
const lastBucket = 46;

/**
 * Counts by latency bucket; trailing zeros may be omitted. The bounds are fixed, so that histograms
 * can be added. Each bound is √2 times the one before: percentiles are accurate to about 20 %.
 */
export type Histogram = readonly number[];

/** Milliseconds; null without data. */
export type Percentiles = { p50: number | null; p95: number | null; p99: number | null };

export function emptyTally(): AttemptTally {
  return {
    delivered: 0,
    failed: 0,
    retried: 0,
    dead: 0,
    latencies: [],
    answers: [],
  };
}

/** Adds a row to a tally, in place. */
export function addToTally(tally: AttemptTally, row: AttemptSumRow): void {
  const attempts = row.delivered + row.failed;
  tally.delivered += row.delivered;
  tally.failed += row.failed;
  tally.retried += row.retried;
  tally.dead += row.dead;
  countInto(tally.answers, row.answer, attempts);
  countInto(tally.latencies, row.latency, attempts);
}

function countInto(histogram: number[], bucket: number | null, count: number): void {
  if (bucket !== null) {
    while (histogram.length <= bucket) {
      histogram.push(0);
    }
    histogram[bucket] = (histogram[bucket] ?? 0) + count;
  }
}

export function addHistograms(a: Histogram, b: Histogram): number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0));
}

export function percentilesOf(histogram: Histogram): Percentiles {
  return {
    p50: percentile(histogram, 0.5),
    p95: percentile(histogram, 0.95),
    p99: percentile(histogram, 0.99),
  };
}

/** A percentile of the histogram in milliseconds; null without data. */
function percentile(histogram: Histogram, share: number): number | null {
  const all = histogram.reduce((sum, count) => sum + count, 0);
  if (all === 0) {
    return null;
  }
  const wanted = all * share;
  let before = 0;
  for (const [bucket, count] of histogram.entries()) {
    if (count > 0 && before + count >= wanted) {
      const low = bucket === 0 ? 0 : boundOf(bucket - 1);
      return Math.round(low + ((wanted - before) / count) * (boundOf(bucket) - low));
    }
    before += count;
  }
  return Math.round(boundOf(lastBucket));
}

/** The upper bound of a bucket in milliseconds, included. */
function boundOf(bucket: number): number {
  return 2 ** (bucket / 2);
}

/** SQL: the histogram bucket of a duration in milliseconds. */
export function bucketSql(ms: string): string {
  return `CAST(least(${lastBucket}, ceil(2 * ln(greatest(${ms}, 1)) / ln(2))) AS integer)`;
}
