import uPlot from "uplot";
import { formatNumber } from "../../base/format.ts";
import { lineRange, lonePoints, type ChartColor, type ChartSeries } from "./model.ts";
import { axisNames, type Grain } from "./times.ts";

export type Paint = ChartColor | `${ChartColor}-soft` | "line" | "surface" | "text";

/** The form of a chart, whatever its numbers. */
export type Drawing = Readonly<{
  series: readonly Pick<ChartSeries, "name" | "color" | "line">[];
  isStacked: boolean;
  isBars: boolean;
  grain: Grain;
  /** Counts: no fractions on the axis. */
  isWhole: boolean;
}>;

/** What the page says when it draws: colours, light or dark, and how numbers are written. */
type Page = Readonly<{
  paint: (name: Paint) => string;
  format: () => ((value: number) => string) | undefined;
}>;

const dashes = { solid: [], dashed: [7, 4], dotted: [2, 3] };
const day = 86_400;
const daySteps = [1, 2, 3, 7, 14, 28].map((count) => count * day);
const wholeSteps = Array.from({ length: 10 }, (_, power) => 10 ** power).flatMap((unit) => [
  ...[unit, 2 * unit, 5 * unit],
]);

/** Bars stand around their time: half of one more on either side. */
const barRange = (plot: uPlot): [number, number] => {
  const times = plot.data[0] as number[];
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const step = times.length > 1 ? (last - first) / (times.length - 1) : day;
  return [first - step / 2, last + step / 2];
};

/** Half of the widest mark on the axis of times, which may stand at either end. */
const halfMark = { moment: 38, day: 24 } as const satisfies Record<Grain, number>;

const seriesOf = (
  { isBars, isStacked }: Drawing,
  { paint }: Page,
  one: Drawing["series"][number],
): uPlot.Series => {
  const stroke = () => paint(one.color);
  const bars = uPlot.paths.bars?.({ size: [0.7, 48, 2], radius: isStacked ? 0 : 0.08 });
  return {
    label: one.name,
    width: isBars ? 0 : 1.75,
    stroke,
    dash: dashes[one.line ?? "solid"],
    points: { show: !isBars, filter: (plot, at) => lonePoints(plot.data[at] ?? []) },
    ...(isBars || isStacked ? { fill: () => paint(isBars ? one.color : `${one.color}-soft`) } : {}),
    ...(isBars && bars !== undefined ? { paths: bars } : {}),
  };
};

/** Wide enough for the longest mark, and for the first one below. */
const axisWidth = (plot: uPlot, values: string[] | null, least: number): number => {
  const longest = (values ?? []).toSorted((a, b) => b.length - a.length)[0] ?? "";
  plot.ctx.save();
  plot.ctx.font = `${12 * uPlot.pxRatio}px system-ui, sans-serif`;
  const width = plot.ctx.measureText(longest).width / uPlot.pxRatio;
  plot.ctx.restore();
  return Math.max(least, Math.ceil(width) + 14);
};

const axesOf = ({ isWhole, grain }: Drawing, { paint, format }: Page): uPlot.Axis[] => {
  const shared: uPlot.Axis = {
    stroke: () => paint("muted"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: () => paint("line"), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  return [
    {
      ...shared,
      grid: { show: false },
      size: 28,
      space: 72,
      ...(grain === "day" ? { incrs: daySteps } : {}),
      values: (...[, marks, , , distance]) => axisNames(marks, distance),
    },
    {
      ...shared,
      size: (plot, values) => axisWidth(plot, values, halfMark[grain]),
      space: 36,
      ...(isWhole ? { incrs: wholeSteps } : {}),
      values: (_, marks) =>
        marks.map((mark) => (mark === 0 ? "0" : (format() ?? formatNumber)(mark))),
    },
  ];
};

/** What uPlot needs to draw this. Of a stack the highest series is drawn first. */
export const plotOptions = (
  drawing: Drawing,
  page: Page,
): Omit<uPlot.Options, "width" | "height"> => {
  const order = drawing.isStacked ? drawing.series.toReversed() : drawing.series;
  return {
    padding: [10, halfMark[drawing.grain], 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: !drawing.isBars, size: 7 } },
    drawOrder:
      drawing.isStacked && !drawing.isBars
        ? (["series", "axes"] as uPlot.DrawOrderKey[])
        : (["axes", "series"] as uPlot.DrawOrderKey[]),
    scales: {
      x: {
        time: true,
        range: drawing.isBars ? barRange : (_, first, last) => lineRange(first, last),
      },
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] },
    },
    axes: axesOf(drawing, page),
    series: [{}, ...order.map((one) => seriesOf(drawing, page, one))],
  };
};
