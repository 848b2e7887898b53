/**
 * Charts as inline SVG. If an SVG is scaled as a whole, its labels are unreadable on a phone. So
 * the SVG contains only shapes and stretches to the width; labels are HTML beside it.
 */
import type { BarChart, Chart, Line, LineChart, StackedChart } from "../chart.ts";
import { color, escape, neutral, round } from "./markup.ts";
import { scaleFor, showAmount, showTick } from "./scale.ts";

function figure(title: string, unit: string, content: string): string {
  return (
    `<figure class="chart"><figcaption>${escape(title)} <span>${escape(unit)}</span></figcaption>` +
    `${content}</figure>`
  );
}

function legend(names: readonly string[]): string {
  const items = names.map(
    (name, index) => `<li><i style="background:${color(index)}"></i>${escape(name)}</li>`,
  );
  return `<ul class="legend">${items.join("")}</ul>`;
}

type Segment = { from: number; share: number; index: number; title: string };

function bar(name: string, value: number, segments: readonly Segment[]): string {
  const shapes = segments.map(
    ({ from, share, index, title }) =>
      `<rect x="${round(from * 100)}%" width="${round(share * 100)}%" height="100%" ` +
      `fill="${color(index)}"><title>${escape(title)}</title></rect>`,
  );
  const amount = showAmount(value);
  return (
    `<div class="bar"><span class="name">${escape(name)}</span><b>${amount}</b>` +
    `<svg role="img" aria-label="${escape(name)}: ${amount}">${shapes.join("")}</svg></div>`
  );
}

function barChart({ title, unit, bars }: BarChart): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value, isBaseline }) => {
    const index = isBaseline === true ? neutral : 0;
    return bar(name, value, [{ from: 0, share: value / most, index, title: showAmount(value) }]);
  });
  return figure(title, unit, rows.join(""));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function stackedChart({ title, unit, names, bars }: StackedChart): string {
  const most = Math.max(...bars.map(({ values }) => total(values)));
  const rows = bars.map(({ name, values }) => {
    let from = 0;
    const segments = values.map((value, index) => {
      const segment = { from, share: value / most, index, title: "" };
      from += segment.share;
      return { ...segment, title: `${names[index] ?? ""}: ${showAmount(value)} ${unit}` };
    });
    return bar(name, total(values), segments);
  });
  return figure(title, unit, `${rows.join("")}${legend(names)}`);
}

function linePath(
  { points }: Line,
  { left, right, most }: Record<"left" | "right" | "most", number>,
) {
  const width = right - left || 1;
  return points
    .map(({ x, y }) => `${round(((x - left) / width) * 100)} ${round(100 - (y / most) * 100)}`)
    .join(" L ");
}

function lineChart({ title, unit, xUnit, lines }: LineChart): string {
  const points = lines.flatMap((line) => line.points);
  const { most, ticks } = scaleFor(Math.max(...points.map(({ y }) => y)));
  const left = Math.min(...points.map(({ x }) => x));
  const right = Math.max(...points.map(({ x }) => x));
  const grid = ticks.map((tick) => {
    const y = round(100 - (tick / most) * 100);
    return `<path class="grid" d="M0 ${y}H100"/>`;
  });
  const paths = lines.map(
    (line, index) =>
      `<path d="M ${linePath(line, { left, right, most })}" stroke="${color(index)}">` +
      `<title>${escape(line.name)}</title></path>`,
  );
  const labels = ticks.toReversed().map((tick) => `<span>${showTick(tick)}</span>`);
  const names = lines.map(({ name }) => name);
  return figure(
    title,
    unit,
    `<div class="plot"><div class="y">${labels.join("")}</div>` +
      `<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" ` +
      `aria-label="${escape(title)}: ${escape(names.join(", "))}">${grid.join("")}${paths.join("")}</svg>` +
      `<div class="x"><span>${showTick(left)}</span><span>${showTick(right)} ${escape(xUnit)}</span></div>` +
      `</div>${legend(names)}`,
  );
}

export function renderChart(chart: Chart): string {
  switch (chart.kind) {
    case "bars":
      return barChart(chart);
    case "stacked":
      return stackedChart(chart);
    case "lines":
      return lineChart(chart);
  }
}

/** A value over time. Runs are spaced evenly, because they come in bursts. Empty for one run. */
export function sparkline(series: readonly { date: string; value: number }[]): string {
  if (series.length < 2) {
    return "";
  }
  const values = series.map(({ value }) => value);
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  const places = series.map(({ value }, index) => ({
    x: round(3 + (index / (series.length - 1)) * 94),
    y: round(90 - ((value - low) / range) * 80),
  }));
  const dots = places.map(({ x, y }, index) => {
    const { date = "", value = 0 } = series[index] ?? {};
    return (
      `<path class="dot" d="M${x} ${y}h0"><title>${escape(date.slice(0, 10))}: ` +
      `${showAmount(value)}</title></path>`
    );
  });
  const line = places.map(({ x, y }) => `${x} ${y}`).join(" L ");
  return (
    `<svg class="spark" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" ` +
    `aria-label="The last ${series.length} runs"><path d="M ${line}"/>${dots.join("")}</svg>`
  );
}
