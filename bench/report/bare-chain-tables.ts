/** Tables about single changes, beside the bare chain. */
import type { BareChainResult, SingleChanges } from "../scenarios/bare-chain.ts";
import { sumOf, systemProcesses } from "../support/costs.ts";
import { others } from "./pipeline-tables.ts";
import { table, type Table } from "./table.ts";

export function bareChainTables({ rounds, ratios, platform, chain }: BareChainResult): Table[] {
  const systems: [name: string, one: SingleChanges][] = [
    ["platform", platform],
    ["bare chain", chain],
  ];
  return [
    table(
      `A change at 50/s, CPU in µs by process (median of ${rounds}); ratio ${ratios.cpu.toFixed(2)}`,
      ["", "all", ...systemProcesses, "cores of others"],
      systems.map(([name, one]) => [
        ...[name, sumOf(one.cpuUsPerChange, systemProcesses)],
        ...systemProcesses.map((process) => one.cpuUsPerChange[process]),
        others(one.otherCores),
      ]),
    ),
    table(
      `One change at a time, ms; ratio of the arrivals ${ratios.arrival.toFixed(2)}`,
      ["", "answer p50", "p95", "arrival p50", "p95"],
      systems.map(([name, { answerMs, arrivalMs }]) => [
        ...[name, answerMs.p50, answerMs.p95, arrivalMs.p50, arrivalMs.p95],
      ]),
    ),
  ];
}
