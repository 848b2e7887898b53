/** Labels, ranges and sizes of the chart axes. Pure. */
import { axisNames } from "./times.ts";

/**
 * Minimum distance between two marks of the time axis: the width of the widest label and a gap.
 * Marks less than a minute apart show seconds, so their labels are wider.
 */
export function markSpace(
  { from, to, width }: Readonly<{ from: number; to: number; width: number }>,
  widthOf: (text: string) => number,
): number {
  const room = (distance: number): number =>
    Math.ceil(Math.max(...axisNames([from, to], distance).map(widthOf))) + 18;
  const short = room(60);
  const perPixel = (to - from) / Math.max(1, width);
  // At this distance the marks would be less than a minute apart.
  return perPixel * short < 30 ? room(1) : short;
}

/** Drops marks whose label would be clipped at either end of the axis. */
export function withoutClipped(
  names: readonly string[],
  {
    places,
    width,
    widthOf,
  }: Readonly<{
    /** In pixels from the left end of the axis. */
    places: readonly number[];
    width: number;
    widthOf: (text: string) => number;
  }>,
  /** Free space right of the axis, in pixels. */
  right: number,
): string[] {
  return names.map((name, at) =>
    (places[at] ?? 0) + widthOf(name) / 2 > width + right ? "" : name,
  );
}

/** Up to this number of decades, labels at 1, 2 and 5 do not overlap. */
const mostDetailedDecades = 2;

/**
 * Keeps 1, 2, 5, 10, 20, 50 … on a logarithmic axis, or the powers of ten of a longer one: a grid
 * line per step would be too dense. null hides the mark.
 */
export function roundMarks(marks: readonly number[]): (number | null)[] {
  const decades = Math.log10((marks.at(-1) ?? 1) / (marks[0] ?? 1));
  const kept = decades > mostDetailedDecades + 1e-9 ? [1] : [1, 2, 5];
  return marks.map((mark) => (kept.includes(leadingDigit(mark)) ? mark : null));
}

function leadingDigit(mark: number): number {
  return Math.round(mark / 10 ** Math.floor(Math.log10(mark) + 1e-9));
}

/** Rounds the range out to whole decades: 12 to 480 becomes 10 to 1,000. */
export function logRange(least: number | null, most: number | null): [number, number] {
  const from = 10 ** Math.floor(Math.log10(Math.max(1, least ?? 1)));
  const to = 10 ** Math.ceil(Math.log10(Math.max(1, most ?? 1)));
  return to > from ? [from, to] : [from, from * 10];
}
