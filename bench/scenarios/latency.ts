/**
 * Latency from the commit to the receiver, at a fixed rate whatever the state of the system.
 * `fromCommit` starts at the COMMIT; `fromSchedule` at the scheduled time, so that stalls of the
 * database or the generator count as well.
 */
import { countCpu, perDelivery, processesOf, type ByProcess } from "../support/costs.ts";
import { assertExactlyOnce, type Line, type Rig } from "../support/rig.ts";
import { calmDown, type RoleOptions } from "../support/stack.ts";
import { percentilesOf, type Percentiles } from "../support/statistics.ts";

export type LatencyResult = {
  eventsPerSecond: number;
  /** The achieved rate; below the requested one, the generator could not keep up. */
  achievedPerSecond: number;
  samples: number;
  fromCommitMs: Percentiles;
  fromScheduleMs: Percentiles;
  cpuUsPerDelivery: ByProcess;
  otherCores: number;
};

export type LatencyOptions = {
  line: Line;
  roles: RoleOptions;
  perSecond: number;
  seconds: number;
  /** Events per transaction. */
  size: number;
};

function differences(to: Float64Array, from: Float64Array, subscriptions: number): Float64Array {
  return to.map((at, index) => at - (from[Math.floor(index / subscriptions)] ?? Number.NaN));
}

export async function latency(rig: Rig, options: LatencyOptions): Promise<LatencyResult> {
  const { line, perSecond, size } = options;
  const roles = await rig.useRoles(options.roles);
  await calmDown(rig.stack);
  const count = Math.ceil((perSecond * options.seconds) / size) * size;
  const deliveries = count * line.subscriptions;
  const first = await line.expect(count);
  const stopCounting = countCpu(processesOf(rig, roles, line));
  const written = await line.generator("openLoop", { range: { first, count }, perSecond, size });
  const { firstAt } = await assertExactlyOnce(rig, deliveries);
  const cpu = stopCounting();
  const span = (written.committedAt.at(-1) ?? 0) - (written.scheduledAt[0] ?? 0);
  return {
    eventsPerSecond: perSecond,
    achievedPerSecond: ((count - size) / span) * 1_000,
    samples: deliveries,
    fromCommitMs: percentilesOf(differences(firstAt, written.committedAt, line.subscriptions)),
    fromScheduleMs: percentilesOf(differences(firstAt, written.scheduledAt, line.subscriptions)),
    cpuUsPerDelivery: perDelivery(cpu.ms, deliveries),
    otherCores: cpu.otherCores,
  };
}
