/**
 * Histograms of times with fixed bounds, so that those of any times and subscriptions can be added.
 * Each bound is √2 times the one before: a percentile is told within a fifth of what it is.
 */

/** The last bucket takes everything that is longer: 2^23 ms are two hours and twenty minutes. */
const lastBucket = 46;

/** Counts by bucket; zeros at the end may be left out. */
export type Histogram = readonly number[];

/** Milliseconds; null where nothing was counted. */
export type Percentiles = { p50: number | null; p95: number | null; p99: number | null };

/** SQL: the bucket of a number of milliseconds. */
export function bucketSql(ms: string): string {
  return `CAST(least(${lastBucket}, ceil(2 * ln(greatest(${ms}, 1)) / ln(2))) AS integer)`;
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

/** Where in the histogram the `share` of all lies, in milliseconds; null where there is nothing. */
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
