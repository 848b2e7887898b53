/** Counts and percentiles as columns of a chart. Pure. */
import type { Bucket, Series } from "./types.ts";

type Values = readonly (number | null)[];

export type Columns = Readonly<{
  /** Unix seconds. */
  times: readonly number[];
  delivered: Values;
  /** Failed, and tried again later. */
  failed: Values;
  dead: Values;
  p50: Values;
  p95: Values;
  p99: Values;
}>;

type Point = Omit<Bucket, "seconds"> & { per: number };

const secondsOf = (at: string): number => Date.parse(at) / 1_000;

const columnsOf = (points: readonly Point[]): Columns => ({
  times: points.map(({ at }) => secondsOf(at)),
  delivered: points.map(({ delivered, per }) => delivered / per),
  failed: points.map(({ failed, dead, per }) => Math.max(0, failed - dead) / per),
  dead: points.map(({ dead, per }) => dead / per),
  p50: points.map(({ latency_ms: { p50 } }) => p50),
  p95: points.map(({ latency_ms: { p95 } }) => p95),
  p99: points.map(({ latency_ms: { p99 } }) => p99),
});

const unknown: Columns = {
  ...{ times: [], delivered: [null], failed: [null], dead: [null] },
  ...{ p50: [null], p95: [null], p99: [null] },
};

/** Pieces are never exactly a second long. */
const mostBetween = 1.5;

/** Runs of pieces without anything unknown between them. */
const runsOf = (buckets: readonly Bucket[]): Bucket[][] => {
  const runs: Bucket[][] = [];
  for (const bucket of buckets) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const begin = secondsOf(bucket.at) - bucket.seconds;
    if (run !== undefined && last !== undefined && begin - secondsOf(last.at) <= mostBetween) {
      run.push(bucket);
    } else {
      runs.push([bucket]);
    }
  }
  return runs;
};

const concat = (parts: readonly Columns[]): Columns => ({
  times: parts.flatMap(({ times }) => times),
  delivered: parts.flatMap(({ delivered }) => delivered),
  failed: parts.flatMap(({ failed }) => failed),
  dead: parts.flatMap(({ dead }) => dead),
  p50: parts.flatMap(({ p50 }) => p50),
  p95: parts.flatMap(({ p95 }) => p95),
  p99: parts.flatMap(({ p99 }) => p99),
});

/** A second, whatever the length of the pieces; what lies between runs of them stays a gap. */
export const liveColumns = (buckets: readonly Bucket[]): Columns =>
  concat(
    runsOf(buckets).flatMap((run, at) => {
      const columns = columnsOf(
        run.map((bucket) => ({ ...bucket, per: Math.max(bucket.seconds, 0.001) })),
      );
      const begin = (columns.times[0] ?? 0) - (run[0]?.seconds ?? 0);
      return at === 0 ? [columns] : [{ ...unknown, times: [begin] }, columns];
    }),
  );

/** A step that short and not counted to its end would look like a fall to nothing. */
const longestLeftOut = 600;

/** Counts of each step, those left out that are still being counted. */
export const seriesColumns = (series: Series): Columns => {
  const { data, step_seconds: step, counted_until: counted } = series;
  const until = counted === null ? 0 : secondsOf(counted);
  const isCounted = ({ at }: { at: string }): boolean =>
    step > longestLeftOut ? secondsOf(at) <= until : secondsOf(at) + step <= until;
  return columnsOf(data.filter(isCounted).map((point) => ({ ...point, per: 1 })));
};
