/** The headline figures of a part beside the bare loop and the last recorded run. */
import type { ComparedFigure } from "../figures/compare.ts";
import type { Unit } from "../figures/catalogue.ts";
import { percent, showCell, table, type Table } from "./table.ts";

export function showValue(value: number, unit: Unit): string {
  return unit === "times" ? `× ${value.toFixed(2)}` : `${showCell(value)} ${unit}`;
}

/** A rate is a share of the loop's; a time or a cost is a multiple. */
export function showOfLoop(ofLoop: number | undefined, unit: Unit): string {
  if (ofLoop === undefined) {
    return "";
  }
  return unit === "per second" ? percent(ofLoop) : `× ${showCell(ofLoop)}`;
}

export function showChange(change: number | undefined): string {
  if (change === undefined) {
    return "";
  }
  const sign = change < 0 ? "−" : "+";
  return `${sign}${(Math.abs(change) * 100).toFixed(1)} %`;
}

export function comparisonTable(compared: readonly ComparedFigure[]): Table {
  const figures = compared.filter(({ figure }) => figure.isDetail !== true);
  const last = figures.findLast(({ change }) => change !== undefined)?.change;
  const title =
    last === undefined
      ? "Headline figures; nothing of this load and machine is recorded yet"
      : `Headline figures, compared with ${last.date.slice(0, 10)} (${last.commit})`;
  return table(
    title,
    ["", "now", "of bare loop", "last", "change", "bare loop", ""],
    figures.map(({ figure, value, ofLoop, change }) => [
      figure.name,
      showValue(value, figure.unit),
      showOfLoop(ofLoop, figure.unit),
      change === undefined ? "" : showValue(change.last, figure.unit),
      showChange(change?.change),
      showChange(change?.loopChange),
      change?.isWorse === true ? "◄ worse" : "",
    ]),
  );
}
