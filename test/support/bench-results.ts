/** Results of a benchmark with the figures that a test needs. */
import type { Entry, History } from "../../bench/figures/history.ts";
import type { PartRun, Results } from "../../bench/results.ts";
import type { ThroughputResult } from "../../bench/scenarios/throughput.ts";
import type { Machine } from "../../bench/support/machine.ts";

export const machine: Machine = {
  ...{ cpu: "Test CPU", cores: 2, memoryGb: 8, loadBefore: 0.1, node: "v20.20.0" },
  ...{ postgres: "18.4", fsync: "on", synchronousCommit: "on" },
};

export const bareLoop = { perSecond: 10_000, cpuUsPerPost: 50, postMs: 0.1 };

export function throughputOf(drain: number, deliveryCpu = 200): ThroughputResult {
  const result = {
    ...{ deliveries: 1_000, perSecond: drain, steadyPerSecond: drain, otherCores: 0 },
    cpuUsPerDelivery: { relay: 20, schedule: 10, delivery: deliveryCpu, postgres: 150, redis: 40 },
    peakMemoryMb: { delivery: 120 },
  };
  return {
    rounds: 1,
    loops: { platform: { ...bareLoop, otherCores: 0 } },
    drains: { platform: result },
    loopRates: { platform: [10_000] },
    drainRates: { platform: [drain] },
  };
}

export function aPart(changes: Partial<PartRun> = {}): PartRun {
  return {
    ...{ part: "throughput", load: "full", seconds: 65, bareLoop, tables: [], charts: [] },
    ...changes,
  };
}

export function aRun(drain: number, changes: Partial<Results> = {}): Results {
  return {
    ...{ startedAt: "2026-11-20T10:00:00.000Z", command: "npm run bench", commit: "abc1234567" },
    ...{ machine, parts: [aPart()], measured: { throughput: throughputOf(drain) } },
    ...changes,
  };
}

/** A history with one entry per value of the figure `drain`, a day apart. */
export function historyOf(drains: readonly number[], changes: Partial<Entry> = {}): History {
  return {
    entries: drains.map((drain, day) => ({
      ...{ date: `2026-11-0${day + 1}T10:00:00.000Z`, commit: `c${day}`, command: "npm run bench" },
      machine,
      parts: { throughput: { load: "full", seconds: 60, bareLoop, figures: { drain } } },
      ...changes,
    })),
  };
}
