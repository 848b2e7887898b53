/** The quantile `q` of sorted values. */
function quantile(sorted: ArrayLike<number>, q: number): number {
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1));
  return sorted[index] ?? Number.NaN;
}

export type Percentiles = { p50: number; p95: number; p99: number; max: number };

export function percentilesOf(values: Float64Array): Percentiles {
  const sorted = values.toSorted();
  return {
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    max: quantile(sorted, 1),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** The clock shared by all processes of a bench: fractional milliseconds since the epoch. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Combines results of the same shape: each number becomes the median. */
export function medianOfAll<T>(results: readonly T[]): T {
  const [sample] = results;
  if (typeof sample === "number") {
    return median(results as readonly number[]) as T;
  }
  if (typeof sample !== "object" || sample === null) {
    return sample as T;
  }
  const keys = Object.keys(sample) as (keyof T)[];
  return Object.fromEntries(
    keys.map((key) => [key, medianOfAll(results.map((result) => result[key]))]),
  ) as T;
}

export function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, map(value, name)]),
  );
}
