/** What the axes of a chart show, and how much room that takes. Pure. */
import { axisNames } from "./times.ts";

/**
 * How far apart the marks of the axis of times stand at least: as wide as the widest that may come,
 * with a blank between. Marks less than a minute apart have seconds, which take more room.
 */
export function markSpace(
  { from, to, width }: Readonly<{ from: number; to: number; width: number }>,
  widthOf: (text: string) => number,
): number {
  const room = (distance: number): number =>
    Math.ceil(Math.max(...axisNames([from, to], distance).map(widthOf))) + 18;
  const short = room(60);
  const perPixel = (to - from) / Math.max(1, width);
  // With marks this close they would be less than a minute apart.
  return perPixel * short < 30 ? room(1) : short;
}

/** Marks without those that would be cut at an end of the axis. */
export function withoutCut(
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
  /** What is free on the right of the axis. */
  right: number,
): string[] {
  return names.map((name, at) =>
    (places[at] ?? 0) + widthOf(name) / 2 > width + right ? "" : name,
  );
}

/** On an axis of decades: 1, 2, 5, 10, 20, 50 …; a line at each step between would be a grey wall. */
export function isRound(mark: number): boolean {
  return [1, 2, 5].includes(Math.round(mark / 10 ** Math.floor(Math.log10(mark) + 1e-9)));
}

/** The decades around what is drawn, so that each is one step: 10 to 1,000 for 12 to 480. */
export function logRange(least: number | null, most: number | null): [number, number] {
  const from = 10 ** Math.floor(Math.log10(Math.max(1, least ?? 1)));
  const to = 10 ** Math.ceil(Math.log10(Math.max(1, most ?? 1)));
  return to > from ? [from, to] : [from, from * 10];
}
