/**
 * Drains a backlog that was written in one commit through the whole pipeline: relay, jobs, claims,
 * requests, settlements. No generator is running, and the full work of the relay is included.
 */
import { countCpu, memoryMb, perDelivery, processesOf, type ByProcess } from "../support/costs.ts";
import { assertExactlyOnce, awaitArrivals, type Line, type Rig } from "../support/rig.ts";
import { calmDown, type RoleOptions } from "../support/stack.ts";

export type DrainResult = {
  deliveries: number;
  /** Rate from the commit to the last request. */
  perSecond: number;
  /** Rate between 10 % and 90 % of the requests. */
  steadyPerSecond: number;
  cpuUsPerDelivery: ByProcess;
  peakMemoryMb: ByProcess;
  /** Cores used by other programs: a busy machine explains a low result. */
  otherCores: number;
};

function steadyRate(firstAt: Float64Array): number {
  const sorted = firstAt.toSorted();
  const from = Math.floor(sorted.length * 0.1);
  const to = Math.floor(sorted.length * 0.9);
  return ((to - from) / ((sorted[to] ?? 0) - (sorted[from] ?? 0))) * 1_000;
}

export type DrainOptions = { line: Line; roles: RoleOptions; events: number };

export async function drain(rig: Rig, options: DrainOptions): Promise<DrainResult> {
  const { line, events } = options;
  const roles = await rig.useRoles(options.roles);
  await calmDown(rig.stack);
  const deliveries = events * line.subscriptions;
  const first = await line.expect(events);
  const processes = processesOf(rig, roles);
  const committedAt = await line.generator("preload", { first, count: events });
  const stopCounting = countCpu(processes);
  await awaitArrivals(rig, deliveries);
  const cpu = stopCounting();
  const { firstAt } = await assertExactlyOnce(rig, deliveries);
  const lastAt = firstAt.reduce((last, at) => Math.max(last, at), 0);
  return {
    deliveries,
    perSecond: (deliveries / (lastAt - committedAt)) * 1_000,
    steadyPerSecond: steadyRate(firstAt),
    cpuUsPerDelivery: perDelivery(cpu.ms, deliveries),
    otherCores: cpu.otherCores,
    peakMemoryMb: memoryMb(processes),
  };
}

/** Warms up JIT compilation, concurrency windows and connections. */
export async function warmUp(rig: Rig, options: DrainOptions): Promise<void> {
  await rig.useRoles(options.roles);
  const { line, events } = options;
  const first = await line.expect(events);
  await line.generator("preload", { first, count: events });
  await assertExactlyOnce(rig, events * line.subscriptions);
}
