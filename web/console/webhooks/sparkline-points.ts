/** Data of the sparkline. Pure. */
import type { SeriesPoint } from "./types.ts";

export type DeliveryTotals = Readonly<{ delivered: number; failed: number }>;

const bars = 24;

/** Sums the newest points into equal buckets; drops the oldest rest. */
export function bucketTotals(points: readonly SeriesPoint[]): DeliveryTotals[] {
  const size = Math.max(1, Math.round(points.length / bars));
  const count = Math.floor(points.length / size);
  const newest = points.slice(points.length - count * size);
  return Array.from({ length: count }, (_, at) =>
    totalsOf(newest.slice(at * size, (at + 1) * size)),
  );
}

export function totalsOf(points: readonly SeriesPoint[]): DeliveryTotals {
  return points.reduce(
    (sum, point) => ({
      delivered: sum.delivered + point.delivered,
      failed: sum.failed + point.failed,
    }),
    { delivered: 0, failed: 0 },
  );
}
