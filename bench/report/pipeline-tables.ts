/** Tables about the pipeline and the API. */
import { busyShare } from "../plan.ts";
import type { ApiWritesResult } from "../scenarios/api-writes.ts";
import type { ClaimResult } from "../scenarios/claim.ts";
import type { DeliveryLogResult } from "../scenarios/delivery-log.ts";
import type { DrainResult } from "../scenarios/drain.ts";
import type { IsolationResult, Phase } from "../scenarios/isolation.ts";
import type { LatencyResult } from "../scenarios/latency.ts";
import type { LoadResult } from "../scenarios/load.ts";
import type { OutageResult } from "../scenarios/outage.ts";
import type { StatementCost } from "../scenarios/statements.ts";
import type { ListsResult } from "../scenarios/lists.ts";
import type { ThroughputResult } from "../scenarios/throughput.ts";
import { platformProcesses, sumOf, type ByProcess } from "../support/costs.ts";
import type { Machine } from "../support/machine.ts";
import { percent, showCell, table, type Cell, type Table } from "./table.ts";

/** `0.4`: cores used by other programs; empty for none. */
export function others(cores: number): string {
  return cores < 0.05 ? "" : cores.toFixed(1);
}

export function machineLine(machine: Machine): string {
  return (
    `${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB · Node ${machine.node} · Postgres ` +
    `${machine.postgres} (fsync ${machine.fsync}, synchronous_commit ${machine.synchronousCommit})` +
    ` · load before the start ${machine.loadBefore.toFixed(1)}`
  );
}

const costNames = [...platformProcesses, "generator", "receiver"] as const;

function costCells(cpu: ByProcess): Cell[] {
  return [sumOf(cpu, platformProcesses), ...costNames.map((name) => cpu[name])];
}

const costHeader = ["platform", ...costNames];

function range(rates: readonly number[] | undefined): string {
  return rates === undefined
    ? ""
    : `${showCell(Math.min(...rates))}–${showCell(Math.max(...rates))}`;
}

export function throughputTables(result: ThroughputResult): Table[] {
  const { loops, drains } = result;
  const platform = loops["platform"]?.perSecond ?? Number.NaN;
  const bare = loops["bare node:http"]?.perSecond ?? Number.NaN;
  const loopRows = Object.entries(loops).map(([name, loop]) => [
    name,
    loop.perSecond,
    range(result.loopRates[name]),
    loop.cpuUsPerPost,
    others(loop.otherCores),
  ]);
  const drainRows = Object.entries(drains).map(([name, one]) => [
    name,
    one.perSecond,
    range(result.drainRates[name]),
    one.steadyPerSecond,
    percent(one.perSecond / platform),
    percent(one.perSecond / bare),
    others(one.otherCores),
  ]);
  const costRows = Object.entries(drains).map(([name, one]) => [
    name,
    ...costCells(one.cpuUsPerDelivery),
  ]);
  const header = ["client", "per second", "range", "middle 80 %", "of the loop", "of bare http"];
  return [
    table(
      `Bare loop: POSTs only, the same bytes, receiver and concurrency (median of ${result.rounds})`,
      ["client", "per second", "range", "CPU µs each", "cores of others"],
      loopRows,
    ),
    table(
      `Deliveries a second: a backlog through the whole pipeline, Redis (median of ${result.rounds})`,
      [...header, "cores of others"],
      drainRows,
    ),
    table("CPU, µs per delivery", ["client", ...costHeader], costRows),
    memoryTable(drains["platform"]?.peakMemoryMb ?? {}),
  ];
}

function memoryTable(memory: ByProcess): Table {
  return table(
    "Memory, MB: the most of each process; Postgres all of it together after the run",
    ["", ...Object.keys(memory)],
    [["MB", ...Object.values(memory)]],
  );
}

/** `Redis, 70 % of the maximum (1,400/s)`. */
function nameOfLoad(queue: string, { eventsPerSecond }: LatencyResult, isQuiet: boolean): string {
  return isQuiet
    ? `${queue}, ${eventsPerSecond} events/s`
    : `${queue}, ${percent(busyShare)} of the maximum (${showCell(eventsPerSecond)}/s)`;
}

/**
 * Below this share of the requested rate, the machine was overloaded and the latency is not
 * representative.
 */
const keptUpShare = 0.97;

export function loadTables(queue: string, load: LoadResult): Table[] {
  const { idle, sustained, quiet, busy } = load;
  const runs = [
    { name: nameOfLoad(queue, quiet, true), one: quiet },
    { name: nameOfLoad(queue, busy, false), one: busy },
  ];
  const late = runs.filter(({ one }) => one.achievedPerSecond < one.eventsPerSecond * keptUpShare);
  return [
    table(
      "Nothing to do: CPU ms per second, by process",
      ["queue", ...platformProcesses, "all", "cores of others"],
      [
        [
          queue,
          ...platformProcesses.map((process) => idle.cpuMsPerSecond[process]),
          sumOf(idle.cpuMsPerSecond, platformProcesses),
          others(idle.otherCores),
        ],
      ],
    ),
    table(
      "Deliveries a second with the events written at the same time",
      ["queue", "per second", "cores of others", ...costHeader],
      [
        [
          queue,
          sustained.perSecond,
          others(sustained.otherCores),
          ...costCells(sustained.cpuUsPerDelivery),
        ],
      ],
    ),
    table(
      "Latency, ms: from the commit to the receiver (open loop)",
      [
        ...["load", "samples", "written/s", "p50", "p95", "p99", "max"],
        ...["from schedule p50", "p99", "CPU µs platform", "cores of others"],
      ],
      runs.map(({ name, one }) => [
        ...[name, String(one.samples), one.achievedPerSecond],
        ...[one.fromCommitMs.p50, one.fromCommitMs.p95, one.fromCommitMs.p99, one.fromCommitMs.max],
        ...[one.fromScheduleMs.p50, one.fromScheduleMs.p99],
        sumOf(one.cpuUsPerDelivery, platformProcesses),
        others(one.otherCores),
      ]),
      late.map(({ name }) => `${name}: the machine could not write at this rate`),
    ),
  ];
}

function phaseRows(phases: readonly Phase[]): Cell[][] {
  return phases.map((phase) => [
    phase.name,
    phase.healthyPerSecond,
    phase.samples,
    phase.fromCommitMs.p50,
    phase.fromCommitMs.p95,
    phase.fromCommitMs.p99,
    phase.fromCommitMs.max,
    others(phase.otherCores),
  ]);
}

const phaseHeader = ["", "events/s", "samples", "p50", "p95", "p99", "max", "cores of others"];

export function isolationTable({ maxPerSecond, phases, ratios }: IsolationResult): Table {
  return table(
    `What healthy receivers see, ms from the commit, at half of ${showCell(maxPerSecond)} a second`,
    phaseHeader,
    phaseRows(phases),
    Object.entries(ratios).map(([name, ratio]) => `${name}: p99 × ${ratio.toFixed(2)}`),
  );
}

export function outageTable(result: OutageResult): Table {
  return table(
    `One receiver was away: ${showCell(result.waiting)} deliveries wait for it; what the others see, ms`,
    phaseHeader,
    phaseRows(result.phases),
    [
      `drained in ${result.drainSeconds.toFixed(0)} s, at most ${result.mostInFlight} requests in ` +
        `flight (window at most ${result.largestWindow.toFixed(0)}), others' p99 × ${result.ratio.toFixed(2)}`,
      `Redis: ${result.redisMb.before.toFixed(1)} MB before, ${result.redisMb.whileWaiting.toFixed(1)} ` +
        `while they wait, at most ${result.redisMb.most.toFixed(1)}`,
    ],
  );
}

export function postgresDrainTable(one: DrainResult): Table {
  return table(
    "Queue on Postgres: a backlog through the whole pipeline",
    ["client", "per second", "cores of others", ...costHeader],
    [["platform", one.perSecond, others(one.otherCores), ...costCells(one.cpuUsPerDelivery)]],
  );
}

export function listsTable({ tickets, answersMs }: ListsResult): Table {
  return table(
    `Answers of a web process to one client, ${tickets.toLocaleString("en-US")} tickets in the enterprise`,
    ["call", "p50 ms", "p95", "p99", "max"],
    Object.entries(answersMs).map(([name, { p50, p95, p99, max }]) => [name, p50, p95, p99, max]),
  );
}

export function deliveryLogTable(result: DeliveryLogResult): Table {
  return table(
    `Searches in a log of ${result.deliveries.toLocaleString("en-US")} deliveries and more attempts ` +
      `(${result.gigabytes.toFixed(1)} GB, made in ${result.seedMinutes.toFixed(1)} minutes)`,
    ["search", "p50 ms", "p95", "max", "looked at", "found", "requests"],
    Object.entries(result.searches).map(([name, { ms, examined, found, pages }]) => [
      name,
      ...[ms.p50, ms.p95, ms.max],
      ...[examined, found, pages].map(String),
    ]),
  );
}

export function apiTable(results: readonly ApiWritesResult[]): Table {
  return table(
    "Tickets written through POST /api/tickets of a web process, the pipeline running",
    [
      "clients",
      "per second",
      "p50 ms",
      "p95",
      "p99",
      "web CPU µs",
      "postgres",
      "relay",
      "client",
      "cores of others",
    ],
    results.map((one) => [
      String(one.clients),
      one.perSecond,
      one.latencyMs.p50,
      one.latencyMs.p95,
      one.latencyMs.p99,
      one.cpuUsPerTicket["web"],
      one.cpuUsPerTicket["postgres"],
      one.cpuUsPerTicket["relay"],
      one.cpuUsPerTicket["client"],
      others(one.otherCores),
    ]),
  );
}

export function statementTable(name: string, costs: readonly StatementCost[]): Table {
  return table(
    `Postgres, by statement: ${name} (for each delivery or ticket; time includes waiting)`,
    ["statement", "calls", "rows per call", "µs", "WAL bytes"],
    costs.map((c) => [c.statement, c.calls.toFixed(3), c.rowsPerCall, c.us, c.walBytes]),
  );
}

/** `wholeUs`: CPU of the platform per delivery, if measured in the same run. */
export function claimTable(results: readonly ClaimResult[], wholeUs: number | undefined): Table {
  return table(
    "A claim alone, µs per delivery",
    ["hints per claim", "wall", "CPU client", "CPU Postgres", "CPU both", "of a whole delivery"],
    results.map((one) => {
      const cpu = one.clientCpuUsPerDelivery + one.serverCpuUsPerDelivery;
      return [
        String(one.batchSize),
        one.wallUsPerDelivery,
        one.clientCpuUsPerDelivery,
        one.serverCpuUsPerDelivery,
        cpu,
        wholeUs === undefined ? "" : percent(cpu / wholeUs),
      ];
    }),
  );
}
