/** Tables about long logs and long runs. */
import { ratiosToEmpty } from "../figures/ratio-to-empty.ts";
import type { HistorySizeResult, SizePhase, SizeRound } from "../scenarios/history-size.ts";
import type { SoakResult } from "../scenarios/soak.ts";
import { platformProcesses, sumOf } from "../support/costs.ts";
import { median, medianOfAll } from "../support/statistics.ts";
import { showCell, table, type Table } from "./table.ts";

function times(ratio: number): string {
  return `× ${ratio.toFixed(2)}`;
}

/** CPU per drained delivery, which other programs on the machine hardly affect. */
function cpuOf({ drain }: SizePhase): number {
  return sumOf(drain.cpuUsPerDelivery, platformProcesses);
}

/** The median, and the lowest and the highest ratio of the rounds. */
function showRatio(rounds: readonly SizeRound[], read: (one: SizePhase) => number): string {
  const ratios = ratiosToEmpty(rounds, read);
  const [lowest = Number.NaN] = ratios;
  const highest = ratios.at(-1) ?? Number.NaN;
  const range = ratios.length > 1 ? ` (${lowest.toFixed(2)}–${highest.toFixed(2)})` : "";
  return `${times(median(ratios))}${range}`;
}

export function historySizeTable(result: HistorySizeResult): Table {
  const { behind, waiting, rows, gigabytes, fillMinutes } = result;
  const cells = (phase: SizePhase, rounds?: readonly SizeRound[]) => {
    const { drain, sustained, quiet, bareLoop } = phase;
    const ratio = (read: (one: SizePhase) => number): string =>
      rounds === undefined ? "" : showRatio(rounds, read);
    return [
      phase.name,
      ...[drain.perSecond, ratio((one) => one.drain.perSecond)],
      ...[cpuOf(phase), ratio(cpuOf)],
      ...[sustained.perSecond, ratio((one) => one.sustained.perSecond)],
      ...[quiet.fromCommitMs.p50, quiet.fromCommitMs.p99],
      ratio((one) => one.quiet.fromCommitMs.p99),
      bareLoop.perSecond,
    ];
  };
  return table(
    `With a long log, and with many that wait, alternating with an empty ledger; medians of ${behind.length}`,
    [
      ...[
        "behind it",
        "drain, per second",
        "ratio",
        "CPU µs",
        "ratio",
        "written and delivered",
        "ratio",
      ],
      ...["50 events/s: p50 ms", "p99", "ratio", "bare loop, per second"],
    ],
    [behind, waiting].flatMap((rounds) => {
      const { empty, filled } = medianOfAll(rounds);
      return [cells(empty), cells(filled, rounds)];
    }),
    [
      `${showCell(rows)} rows, ${gigabytes.toFixed(1)} GB, filled in ${fillMinutes.toFixed(1)} minutes`,
    ],
  );
}

function verdict(isFlat: boolean): string {
  return isFlat ? "flat" : "GROWS";
}

export function soakTables(result: SoakResult): Table[] {
  const { minutes, perSecond, maxPerSecond, deliveries, memory, p99 } = result;
  return [
    table(
      `${minutes} minutes at ${showCell(perSecond)} events/s (70 % of ${showCell(maxPerSecond)}): ` +
        `${showCell(deliveries)} deliveries; memory in MB, medians of the first and the last third`,
      ["", "first third", "last third", "ratio", "MB per hour", ""],
      Object.entries(memory).map(([name, trend]) => [
        ...[name, trend.first, trend.last, times(trend.last / trend.first)],
        ...[trend.slope * 60, verdict(trend.isFlat)],
      ]),
    ),
    table(
      "Latency of the same minutes, ms",
      ["", "first third", "last third", "ratio", ""],
      [["p99", p99.first, p99.last, times(p99.last / p99.first), verdict(p99.isFlat)]],
    ),
  ];
}
