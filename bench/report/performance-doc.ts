/**
 * The tables of `docs/performance.md`, generated from `bench/history.json`. A comment such as `<!--
 * figures: throughput -->` starts a table, `<!-- end -->` ends it; the surrounding text is kept.
 */
import { ratioToLoop } from "../figures/compare.ts";
import { figuresOf, type Figure } from "../figures/catalogue.ts";
import type { Entry, History, RecordedPart } from "../figures/history.ts";
import { partNames, type Part } from "../plan.ts";
import { platformProcesses } from "../support/costs.ts";
import { showOfLoop, showValue } from "./comparison-table.ts";
import { machineLine } from "./pipeline-tables.ts";
import { showCell } from "./table.ts";

export type Recorded = { entry: Entry; recorded: RecordedPart };

/** The newest recording of a part. A full run is preferred to a newer quick one. */
export function newestOf({ entries }: History, part: Part): Recorded | undefined {
  const all = entries.flatMap((entry) => {
    const recorded = entry.parts[part];
    return recorded === undefined ? [] : [{ entry, recorded }];
  });
  return all.findLast(({ recorded }) => !recorded.load.startsWith("quick")) ?? all.at(-1);
}

type Row = readonly string[];

/** Pads the cells like the formatter, which would otherwise change the file. */
function markdownTable(header: Row, rows: readonly Row[]): string {
  const widths = header.map((_, i) =>
    Math.max(3, ...[header, ...rows].map((row) => row[i]?.length ?? 0)),
  );
  const pad = (text: string, i: number): string =>
    i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0);
  const lay = (row: Row): string => `| ${row.map(pad).join(" | ")} |`;
  const rule = widths.map((width, i) =>
    i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [lay(header), `| ${rule.join(" | ")} |`, ...rows.map(lay)].join("\n");
}

/** Conditions that make a result less reliable. */
function caveatsOf({ entry: { machine }, recorded }: Recorded): string {
  const isBusy = machine.loadBefore > machine.cores / 4;
  const isQuick = recorded.load.startsWith("quick");
  return [
    isBusy ? " Other programs used the machine: an idle one gives better results." : "",
    isQuick ? " A quick run: the results are rough." : "",
  ].join("");
}

function sourceOf(found: Recorded): string {
  const { date, commit, command, machine } = found.entry;
  const { perSecond } = found.recorded.bareLoop;
  return (
    `Measured on ${date.slice(0, 10)} at commit ${commit} with \`${command}\`, on ` +
    `${machineLine(machine)}. Load: ${found.recorded.load}. The bare loop made ` +
    `${showCell(perSecond)} requests per second.` +
    caveatsOf(found)
  );
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function figureRows(figures: readonly Figure[], recorded: RecordedPart): Row[] {
  return figures.flatMap(({ key, name, unit }) => {
    const value = recorded.figures[key];
    return value === undefined
      ? []
      : [
          [
            upperFirst(name),
            showValue(value, unit),
            showOfLoop(ratioToLoop(value, unit, recorded.bareLoop), unit),
          ],
        ];
  });
}

const notMeasured = "Not measured yet.";

function figureTable(history: History, part: Part): string {
  const found = newestOf(history, part);
  if (found === undefined) {
    return notMeasured;
  }
  const main = figuresOf(part).filter(({ isDetail }) => isDetail !== true);
  const rows = figureRows(main, found.recorded);
  // Ratios within a part have no ratio to the loop.
  const columns = rows.some((row) => row[2] !== "") ? 3 : 2;
  const header = ["Figure", "Result", "Of the bare loop"].slice(0, columns);
  const shown = rows.map((row) => row.slice(0, columns));
  return `${markdownTable(header, shown)}\n\n${sourceOf(found)}`;
}

/** One row for each cost that is measured per process. */
function costTable(history: History, parts: readonly Part[]): string {
  const rows = parts.flatMap((part) => {
    const found = newestOf(history, part);
    const sums = figuresOf(part).filter(({ key }) =>
      figuresOf(part).some((other) => other.key === `${key}-delivery` && other.isDetail),
    );
    return sums.flatMap(({ key, name }) => {
      const keys = [key, ...platformProcesses.map((process) => `${key}-${process}`)];
      const values = keys.map((one) => found?.recorded.figures[one]);
      return values[0] === undefined
        ? []
        : [[upperFirst(`${part}: ${name}`), ...values.map(showCell)]];
    });
  });
  return rows.length === 0
    ? notMeasured
    : markdownTable(["CPU, µs", "All", ...platformProcesses.map(upperFirst)], rows);
}

function isPart(name: string): name is Part {
  return (partNames as readonly string[]).includes(name);
}

function partsIn(list: string): Part[] {
  const names = list.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !isPart(name));
  if (unknown !== undefined) {
    throw new Error(`No part "${unknown}"`);
  }
  return names.filter(isPart);
}

const block =
  /(?<mark><!-- (?<kind>figures|costs): (?<list>[^>]+) -->\n).*?(?<end><!-- end -->)/gsu;

/** The document with its tables generated from this history. */
export function fillTables(document: string, history: History): string {
  return document.replaceAll(block, (...match) => {
    const { mark = "", kind, list = "", end = "" } = match.at(-1) as Record<string, string>;
    const parts = partsIn(list);
    const content =
      kind === "costs"
        ? costTable(history, parts)
        : parts.map((part) => figureTable(history, part)).join("\n\n");
    return `${mark}\n${content}\n\n${end}`;
  });
}
