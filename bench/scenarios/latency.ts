/**
 * Latency from the commit to the receiver at a fixed rate (open loop). `fromCommit` starts at the
 * COMMIT; `fromSchedule` starts at the scheduled time and therefore includes stalls of the database
 * and the generator.
 */
import { countCpu, perDelivery, processesOf, type ByProcess } from "../support/costs.ts";
import { assertExactlyOnce, type Line, type Rig } from "../support/rig.ts";
import { calmDown, type RoleOptions } from "../support/stack.ts";
import { percentilesOf, type Percentiles } from "../support/statistics.ts";

export type OpenLoopResult = {
  eventsPerSecond: number;
  /** The achieved rate; below the requested one, the generator could not keep up. */
  achievedPerSecond: number;
  samples: number;
  fromCommitMs: Percentiles;
  fromScheduleMs: Percentiles;
  /** Percentiles of each second of the schedule, to show stalls. */
  bySecond: { p50: number; p99: number }[];
};

export type LatencyResult = OpenLoopResult & {
  cpuUsPerDelivery: ByProcess;
  otherCores: number;
};

export type OpenLoopOptions = {
  line: Line;
  perSecond: number;
  seconds: number;
  /** Events per transaction. */
  size: number;
};

export type LatencyOptions = OpenLoopOptions & { roles: RoleOptions };

function differences(to: Float64Array, from: Float64Array, subscriptions: number): Float64Array {
  return to.map((at, index) => at - (from[Math.floor(index / subscriptions)] ?? Number.NaN));
}

/** Splits samples of an open loop by the seconds of its schedule. */
function bySecond(latencies: Float64Array, perSecond: number): OpenLoopResult["bySecond"] {
  return Array.from({ length: Math.ceil(latencies.length / perSecond) }, (_, second) => {
    const part = latencies.slice(second * perSecond, (second + 1) * perSecond);
    const { p50, p99 } = percentilesOf(part);
    return { p50, p99 };
  });
}

/** Writes at a fixed rate, and waits until every event has arrived exactly once. */
export async function runOpenLoop(rig: Rig, options: OpenLoopOptions): Promise<OpenLoopResult> {
  const { line, perSecond, size } = options;
  const count = Math.ceil((perSecond * options.seconds) / size) * size;
  const deliveries = count * line.subscriptions;
  const first = await line.expect(count);
  const written = await line.generator("openLoop", { range: { first, count }, perSecond, size });
  const { firstAt } = await assertExactlyOnce(rig, deliveries);
  const span = (written.committedAt.at(-1) ?? 0) - (written.scheduledAt[0] ?? 0);
  const fromCommit = differences(firstAt, written.committedAt, line.subscriptions);
  return {
    eventsPerSecond: perSecond,
    achievedPerSecond: ((count - size) / span) * 1_000,
    samples: deliveries,
    fromCommitMs: percentilesOf(fromCommit),
    fromScheduleMs: percentilesOf(differences(firstAt, written.scheduledAt, line.subscriptions)),
    bySecond: bySecond(fromCommit, perSecond * line.subscriptions),
  };
}

export async function latency(rig: Rig, options: LatencyOptions): Promise<LatencyResult> {
  const roles = await rig.useRoles(options.roles);
  await calmDown(rig.stack);
  const stopCounting = countCpu(processesOf(rig, roles, options.line));
  const result = await runOpenLoop(rig, options);
  const cpu = stopCounting();
  return {
    ...result,
    cpuUsPerDelivery: perDelivery(cpu.ms, result.samples),
    otherCores: cpu.otherCores,
  };
}
