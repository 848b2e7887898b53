/** What a chart shows, and what can be worked out of it without a page. */

export type ChartColor = "good" | "warn" | "bad" | "accent" | "second" | "muted" | "text";

export type ChartSeries = Readonly<{
  name: string;
  color: ChartColor;
  /** One value per time; null where nothing was measured. */
  values: readonly (number | null)[];
  /** So that lines are told apart without colour. Only where nothing is stacked. */
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
 * Times and values as they are drawn. Of a stack the highest comes first: those below are drawn
 * over it.
 */
export function drawnColumns(
  data: ChartData,
  { isStacked, isLog }: Readonly<{ isStacked: boolean; isLog: boolean }>,
): [number[], ...Column[]] {
  const columns = isStacked ? stackedColumns(data).toReversed() : columnsOf(data);
  return [data.times as number[], ...(isLog ? fromOne(columns) : columns)];
}

/** Each series on top of those before it; a time at which nothing was measured stays a gap. */
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

/** On a scale of decades nothing is below 1. */
function fromOne(columns: readonly Column[]): Column[] {
  return columns.map((values) =>
    values.map((value) => (value === null ? null : Math.max(1, value))),
  );
}

/** The last, the least and the most of what was measured; undefined where nothing was. */
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

/** What was measured at one time, series by series. */
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

/** A few moments would else be stretched over the whole width, and a single one over half a year. */
const leastSeconds = 60;

/** Lines go from the first point to the last; what is shorter than a minute ends on the right. */
export function lineRange(first: number | null, last: number | null): [number, number] {
  const to = last ?? 0;
  return [Math.min(first ?? to, to - leastSeconds), to];
}

/** Points that no line leads to: with nothing on either side they would not be seen. */
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isThere = (at: number): boolean => (values[at] ?? null) !== null;
  return Array.from({ length: values.length }, (_, at) => at).filter(
    (at) => isThere(at) && !isThere(at - 1) && !isThere(at + 1),
  );
}
