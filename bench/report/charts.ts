/** The charts of each part. */
import { busyShare } from "../plan.ts";
import type { ApiWritesResult } from "../scenarios/api-writes.ts";
import type { ClaimResult } from "../scenarios/claim.ts";
import type { LatencyResult } from "../scenarios/latency.ts";
import type { LoadResult } from "../scenarios/load.ts";
import type { Phase } from "../scenarios/isolation.ts";
import type { HistorySizeResult, SizePhase } from "../scenarios/history-size.ts";
import type { LiveResult } from "../scenarios/live.ts";
import type { SoakResult } from "../scenarios/soak.ts";
import type { ThroughputResult } from "../scenarios/throughput.ts";
import { platformProcesses, type ByProcess } from "../support/costs.ts";
import { mapValues, medianOfAll } from "../support/statistics.ts";
import type { BarChart, Chart, Line, StackedChart } from "./chart.ts";
import { percent } from "./table.ts";

function costChart(title: string, costs: Record<string, ByProcess>): StackedChart {
  return {
    kind: "stacked",
    title,
    unit: "µs",
    names: platformProcesses,
    bars: Object.entries(costs).map(([name, cpu]) => ({
      name,
      values: platformProcesses.map((process) => cpu[process] ?? 0),
    })),
  };
}

export function throughputCharts({ loops, drains }: ThroughputResult): Chart[] {
  const ratesOf = (record: Record<string, { perSecond: number }>) =>
    Object.entries(record).map(([name, { perSecond: value }]) => ({ name, value }));
  const baselines = ratesOf(loops).map(({ name, value }) => ({
    ...{ name: `bare loop: ${name}`, value, isBaseline: true },
  }));
  return [
    {
      kind: "bars",
      title: "The pipeline and the bare loop",
      unit: "per second",
      bars: [...ratesOf(drains), ...baselines],
    },
    costChart(
      "CPU of a delivery, by process",
      mapValues(drains, ({ cpuUsPerDelivery }) => cpuUsPerDelivery),
    ),
  ];
}

function secondsOf({ bySecond }: LatencyResult, kind: "p50" | "p99"): Line {
  return { name: kind, points: bySecond.map((second, x) => ({ x, y: second[kind] })) };
}

function latencyChart(title: string, one: LatencyResult): Chart {
  const lines = [secondsOf(one, "p50"), secondsOf(one, "p99")];
  return { kind: "lines", title, unit: "ms", xUnit: "s", lines };
}

export function loadCharts({ quiet, busy, sustained }: LoadResult): Chart[] {
  const high = `${busy.eventsPerSecond.toLocaleString("en-US")} events/s`;
  const low = `${quiet.eventsPerSecond} events/s`;
  return [
    latencyChart(`Latency at ${low}`, quiet),
    latencyChart(`Latency at ${percent(busyShare)} of the maximum: ${high}`, busy),
    costChart("CPU of an event with its delivery, by process", {
      [low]: quiet.cpuUsPerDelivery,
      [high]: busy.cpuUsPerDelivery,
      "the maximum": sustained.cpuUsPerDelivery,
    }),
  ];
}

/** A line chart, because an outage has dozens of phases. */
export function outageChart(phases: readonly Phase[]): Chart {
  const line = (name: "p50" | "p99"): Line => ({
    name,
    points: phases.map(({ fromCommitMs }, x) => ({ x: x + 1, y: fromCommitMs[name] })),
  });
  return {
    ...{ kind: "lines", title: "Latency of the other receivers, by phase" },
    ...{ unit: "ms", xUnit: "phases", lines: [line("p50"), line("p99")] },
  };
}

/** Latency of healthy receivers in each phase. */
export function isolationChart(phases: readonly Phase[]): BarChart {
  const [first] = phases;
  const bars = phases.map(({ name, fromCommitMs }) => ({
    ...{ name, value: fromCommitMs.p99, isBaseline: name === first?.name },
  }));
  return { kind: "bars", title: "Latency of healthy receivers", unit: "ms, p99", bars };
}

export function historySizeCharts({ behind, waiting }: HistorySizeResult): Chart[] {
  const chart = (title: string, unit: string, read: (one: SizePhase) => number): Chart => ({
    ...{ kind: "bars", title, unit },
    bars: [behind, waiting].flatMap((rounds) => {
      const { empty, filled } = medianOfAll(rounds);
      return [
        { name: empty.name, value: read(empty), isBaseline: true },
        { name: filled.name, value: read(filled), isBaseline: false },
      ];
    }),
  });
  return [
    chart("A backlog drains", "per second", ({ drain }) => drain.perSecond),
    chart("Written and delivered at once", "per second", ({ sustained }) => sustained.perSecond),
    chart("Latency at 50 events/s", "ms, p99", ({ quiet }) => quiet.fromCommitMs.p99),
  ];
}

export function soakCharts({ samples, latencies, memory }: SoakResult): Chart[] {
  const lines = Object.keys(memory).map((name) => ({
    name,
    points: samples.map(({ minute, mb }) => ({ x: minute, y: mb[name] ?? 0 })),
  }));
  const latencyLine = (name: "p50" | "p99"): Line => ({
    name,
    points: latencies.map((one) => ({ x: one.minute, y: one[name] })),
  });
  return [
    { kind: "lines", title: "Memory", unit: "MB", xUnit: "min", lines },
    {
      ...{ kind: "lines", title: "Latency", unit: "ms", xUnit: "min" },
      lines: [latencyLine("p50"), latencyLine("p99")],
    },
  ];
}

/** One bar for each call or search. */
export function answersChart(answers: Record<string, { p95: number }>): BarChart {
  const bars = Object.entries(answers).map(([name, { p95 }]) => ({ name, value: p95 }));
  return { kind: "bars", title: "Answers", unit: "ms, p95", bars };
}

const ticketProcesses = ["web", ...platformProcesses];

export function apiChart(results: readonly ApiWritesResult[]): StackedChart {
  return {
    ...{ kind: "stacked", title: "CPU of a ticket, by process", unit: "µs" },
    names: ticketProcesses,
    bars: results.map(({ clients, cpuUsPerTicket }) => ({
      name: `${clients} ${clients === 1 ? "client" : "clients"}`,
      values: ticketProcesses.map((process) => cpuUsPerTicket[process] ?? 0),
    })),
  };
}

export function liveChart({ phases }: LiveResult): StackedChart {
  return {
    ...{ kind: "stacked", title: "Cost of those who watch", unit: "% of a core" },
    names: ["web", "its Postgres"],
    bars: phases.map(({ viewers, webPercent, postgresPercent }) => ({
      name: `${viewers} ${viewers === 1 ? "viewer" : "viewers"}`,
      values: [webPercent, postgresPercent],
    })),
  };
}

/**
 * Shows the cost per delivery by batch size: small batches need as many statements as large ones.
 */
export function claimChart(results: readonly ClaimResult[]): StackedChart {
  return {
    ...{ kind: "stacked", title: "CPU of a claim, by size of its batch", unit: "µs" },
    names: ["client", "postgres"],
    bars: results.map((one) => ({
      name: `batch of ${one.batchSize}`,
      values: [one.clientCpuUsPerDelivery, one.serverCpuUsPerDelivery],
    })),
  };
}
