import uPlot from "uplot";
import { formatNumber } from "../../base/format.ts";
import { logRange, markSpace, roundMarks, withoutClipped } from "./axis.ts";
import { lineRange, lonePoints, type ChartColor, type ChartSeries } from "./model.ts";
import { axisNames, type Grain } from "./times.ts";

export type Paint = ChartColor | `${ChartColor}-soft` | "line" | "surface";

/** The chart's configuration, independent of its values. */
export type Drawing = Readonly<{
  series: readonly Pick<ChartSeries, "name" | "color" | "line">[];
  isStacked: boolean;
  isBars: boolean;
  grain: Grain;
  /** Counts: no fractions on the axis. */
  isWhole: boolean;
  /** Logarithmic scale, so that one slow response does not flatten all other values. */
  isLog: boolean;
}>;

/** What the page provides for drawing: colours, colour scheme and number format. */
type Page = Readonly<{
  paint: (name: Paint) => string;
  format: () => ((value: number) => string) | undefined;
}>;

const font = "12px system-ui, sans-serif";

const day = 86_400;

/** Padding right of the last time, in pixels. */
const rightEdge = 8;

/** Options for uPlot. In a stacked chart the highest series is drawn first. */
export function plotOptions(drawing: Drawing, page: Page): Omit<uPlot.Options, "width" | "height"> {
  const order = drawing.isStacked ? drawing.series.toReversed() : drawing.series;
  return {
    padding: [10, rightEdge, 0, 0],
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
      y: valuesScale(drawing),
    },
    axes: axesOf(drawing, page),
    series: [{}, ...order.map((one) => seriesOf(drawing, page, one))],
  };
}

/** Bars are centred on their time, so the range extends by half a bar on each side. */
function barRange(plot: uPlot): [number, number] {
  const times = plot.data[0] as number[];
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const step = times.length > 1 ? (last - first) / (times.length - 1) : day;
  return [first - step / 2, last + step / 2];
}

function valuesScale({ isLog }: Drawing): uPlot.Scale {
  return isLog
    ? { distr: 3, range: (_, least, most) => logRange(least, most) }
    : { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] };
}

function axesOf(drawing: Drawing, page: Page): uPlot.Axis[] {
  const shared: uPlot.Axis = {
    stroke: () => page.paint("muted"),
    font,
    grid: { stroke: () => page.paint("line"), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  return [
    { ...shared, ...timesAxis(drawing) },
    {
      ...shared,
      ...valuesAxis(drawing, page),
      ...(drawing.isLog ? { grid: { ...shared.grid, filter: visibleMarks } } : {}),
    },
  ];
}

const daySteps = [1, 2, 3, 7, 14, 28].map((count) => count * day);

function timesAxis({ grain }: Drawing): uPlot.Axis {
  return {
    size: 28,
    grid: { show: false },
    space: (...[plot, , from, to, width]) => markSpace({ from, to, width }, measured(plot)),
    ...(grain === "day" ? { incrs: daySteps } : {}),
    values: (...[plot, marks, , , distance]) =>
      withoutClipped(
        axisNames(marks, distance),
        {
          places: marks.map((mark) => plot.valToPos(mark, "x")),
          width: plot.bbox.width / uPlot.pxRatio,
          widthOf: measured(plot),
        },
        rightEdge,
      ),
  };
}

function visibleMarks(_: uPlot, marks: number[]): (number | null)[] {
  return roundMarks(marks);
}

const wholeSteps = Array.from({ length: 10 }, (_, power) => 10 ** power).flatMap((unit) => [
  ...[unit, 2 * unit, 5 * unit],
]);

function valuesAxis({ isWhole, isLog }: Drawing, { format }: Page): uPlot.Axis {
  const write = (mark: number | null): string => {
    if (mark === null) {
      return ""; // hidden by `visibleMarks`
    }
    return mark === 0 ? "0" : (format() ?? formatNumber)(mark);
  };
  return {
    ...(isLog ? { filter: visibleMarks } : {}),
    size: axisWidth,
    space: isLog ? 20 : 36,
    ...(isWhole && !isLog ? { incrs: wholeSteps } : {}),
    values: (_, marks) => (marks as (number | null)[]).map(write),
  };
}

/** Minimum width of the value axis: half of the first time label extends below it. */
const leastAxis = 32;

/** Fits the longest value label and the first time label. */
function axisWidth(plot: uPlot, values: string[] | null): number {
  return Math.max(leastAxis, Math.ceil(Math.max(0, ...(values ?? []).map(measured(plot)))) + 14);
}

/** Measures a text on the canvas, in CSS pixels. */
function measured(plot: uPlot) {
  return (text: string): number => {
    plot.ctx.save();
    plot.ctx.font = font.replace("12px", `${12 * uPlot.pxRatio}px`);
    const { width } = plot.ctx.measureText(text);
    plot.ctx.restore();
    return width / uPlot.pxRatio;
  };
}

const dashes = { solid: [], dashed: [8, 5], dotted: [2, 5] };

const widths = { solid: 1.75, dashed: 2, dotted: 2.5 };

function seriesOf(
  { isBars, isStacked }: Drawing,
  { paint }: Page,
  one: Drawing["series"][number],
): uPlot.Series {
  const stroke = () => paint(one.color);
  const bars = uPlot.paths.bars?.({ size: [0.7, 48, 2], radius: isStacked ? 0 : 0.08 });
  return {
    label: one.name,
    width: isBars ? 0 : widths[one.line ?? "solid"],
    stroke,
    dash: dashes[one.line ?? "solid"],
    points: { show: !isBars, filter: (plot, at) => lonePoints(plot.data[at] ?? []) },
    ...(isBars || isStacked ? { fill: () => paint(isBars ? one.color : `${one.color}-soft`) } : {}),
    ...(isBars && bars !== undefined ? { paths: bars } : {}),
  };
}
