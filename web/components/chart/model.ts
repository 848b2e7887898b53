/** The data of a chart and its derived values. Pure, no DOM. */

export type ChartColor = "good" | "warn" | "bad" | "accent" | "second" | "muted" | "text";

export type ChartSeries = Readonly<{
  name: string;
  color: ChartColor;
  /** One value per time; null where there is no measurement. */
  values: readonly (number | null)[];
  /** Line style, to distinguish series without colour. Not for stacked charts. */
  line?: "solid" | "dashed" | "dotted";
}>;

export type ChartData = Readonly<{
  /** Unix seconds, ascending. */
  times: readonly number[];
  series: readonly ChartSeries[];
}>;

type Column = (number | null)[];

export type Extent = Readonly<{ last: number; least: number; most: number }>;

/**
 * Times and values in drawing order. In a stacked chart the highest series comes first, because the
 * lower ones are painted over it.
 */
export function drawnColumns(
  data: ChartData,
  { isStacked, isLog }: Readonly<{ isStacked: boolean; isLog: boolean }>,
): [number[], ...Column[]] {
  const columns = isStacked ? stackedColumns(data).toReversed() : columnsOf(data);
  return [data.times as number[], ...(isLog ? fromOne(columns) : columns)];
}

/** Adds each series to the sum of those before it; a time without a measurement stays a gap. */
function stackedColumns({ times, series }: ChartData): Column[] {
  const columns: Column[] = [];
  for (const { values } of series) {
    const below = columns.at(-1);
    columns.push(
      times.map((_, at) => {
        const isMeasured = series.some((one) => (one.values[at] ?? null) !== null);
        return isMeasured ? (below?.[at] ?? 0) + (values[at] ?? 0) : null;
      }),
    );
  }
  return columns;
}

function columnsOf({ series }: ChartData): Column[] {
  return series.map(({ values }) => values as Column);
}

/** A logarithmic scale starts at 1. */
function fromOne(columns: readonly Column[]): Column[] {
  return columns.map((values) =>
    values.map((value) => (value === null ? null : Math.max(1, value))),
  );
}

/** The last, smallest and largest measured values; undefined if there are none. */
export function extentOf(values: readonly (number | null)[]): Extent | undefined {
  let extent: Extent | undefined;
  for (const value of values) {
    if (value !== null) {
      extent = {
        last: value,
        least: Math.min(extent?.least ?? value, value),
        most: Math.max(extent?.most ?? value, value),
      };
    }
  }
  return extent;
}

/** Describes the values of one point, series by series. */
export function pointInWords(
  { series }: ChartData,
  at: number,
  exact: (value: number) => string,
): string {
  return series
    .map(({ name, values }) => {
      const value = values[at] ?? null;
      return `${name} ${value === null ? "–" : exact(value)}`;
    })
    .join(", ");
}

/**
 * Without a minimum, a few seconds would fill the whole width, and a single point would span half a
 * year.
 */
const leastSeconds = 60;

/** Spans the first to the last point; a range shorter than a minute is aligned to the right. */
export function lineRange(first: number | null, last: number | null): [number, number] {
  const to = last ?? 0;
  return [Math.min(first ?? to, to - leastSeconds), to];
}

/** Isolated points: with a gap on both sides, no line would show them. */
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isThere = (at: number): boolean => (values[at] ?? null) !== null;
  return Array.from({ length: values.length }, (_, at) => at).filter(
    (at) => isThere(at) && !isThere(at - 1) && !isThere(at + 1),
  );
}
