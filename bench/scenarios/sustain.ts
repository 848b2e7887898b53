/**
 * Writes and delivers at the same time: a generator keeps a steady backlog ahead of the receiver,
 * so the result is the sustainable rate of the machine, including writes.
 */
import { sleep } from "../../src/platform/concurrency/async.ts";
import { countCpu, perDelivery, processesOf, type ByProcess } from "../support/costs.ts";
import { assertExactlyOnce, type Line, type Rig } from "../support/rig.ts";
import { calmDown, type RoleOptions } from "../support/stack.ts";

export type SustainResult = {
  perSecond: number;
  deliveries: number;
  cpuUsPerDelivery: ByProcess;
  otherCores: number;
};

export type SustainOptions = {
  line: Line;
  roles: RoleOptions;
  seconds: number;
  /** Events per transaction. */
  size: number;
};

/** Size of the backlog: large enough to keep all roles busy. */
const lead = 1_500;
const mostEvents = 400_000;
const readEveryMs = 20;

/** Maintains the backlog until the time is over. Returns the number of written events. */
async function feed(
  rig: Rig,
  { line, size }: SustainOptions,
  { first, already, untilMs }: { first: number; already: number; untilMs: number },
): Promise<number> {
  let written = already;
  while (performance.now() < untilMs && written < mostEvents) {
    const { received } = await rig.receiver("count");
    const wanted = received / line.subscriptions + lead - written;
    const count = Math.floor(Math.min(wanted, mostEvents - written) / size) * size;
    if (count > 0) {
      await line.generator("fill", { range: { first: first + written, count }, size });
      written += count;
    } else {
      await sleep(readEveryMs);
    }
  }
  return written;
}

export async function sustain(rig: Rig, options: SustainOptions): Promise<SustainResult> {
  const { line, seconds, size } = options;
  const roles = await rig.useRoles(options.roles);
  await calmDown(rig.stack);
  const first = await line.expect(mostEvents);
  // Counts from the time when the backlog exists, because a slow machine needs seconds to write it.
  await line.generator("fill", { range: { first, count: lead }, size });
  const before = await rig.receiver("count");
  const stopCounting = countCpu(processesOf(rig, roles, line));
  const untilMs = performance.now() + seconds * 1_000;
  const written = await feed(rig, options, { first, already: lead, untilMs });
  const after = await rig.receiver("count");
  const cpu = stopCounting();
  await assertExactlyOnce(rig, written * line.subscriptions);
  const deliveries = after.received - before.received;
  return {
    perSecond: (deliveries / (after.at - before.at)) * 1_000,
    deliveries,
    cpuUsPerDelivery: perDelivery(cpu.ms, deliveries),
    otherCores: cpu.otherCores,
  };
}
