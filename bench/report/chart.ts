/** Charts as data. `report/html` draws them. */
export type BarChart = Readonly<{
  kind: "bars";
  title: string;
  unit: string;
  /** A baseline has a neutral color. */
  bars: readonly { name: string; value: number; isBaseline?: boolean }[];
}>;

/** Bars stacked from several amounts, always in the same order. */
export type StackedChart = Readonly<{
  kind: "stacked";
  title: string;
  unit: string;
  names: readonly string[];
  bars: readonly { name: string; values: readonly number[] }[];
}>;

export type Line = Readonly<{ name: string; points: readonly { x: number; y: number }[] }>;

export type LineChart = Readonly<{
  kind: "lines";
  title: string;
  unit: string;
  /** Unit of the horizontal axis. */
  xUnit: string;
  lines: readonly Line[];
}>;

export type Chart = BarChart | StackedChart | LineChart;
