/** CPU of idle processes, caused by polls and timers. */
import { sleep } from "../../src/platform/concurrency/async.ts";
import { countCpu, processesOf, type ByProcess } from "../support/costs.ts";
import type { Rig } from "../support/rig.ts";
import { calmDown, type RoleOptions } from "../support/stack.ts";

export type IdleResult = { cpuMsPerSecond: ByProcess; otherCores: number };

export async function idle(
  rig: Rig,
  { roles, seconds }: { roles: RoleOptions; seconds: number },
): Promise<IdleResult> {
  const running = await rig.useRoles(roles);
  await calmDown(rig.stack);
  const stopCounting = countCpu(processesOf(rig, running));
  await sleep(seconds * 1_000);
  const { ms, otherCores } = stopCounting();
  const cpuMsPerSecond = Object.fromEntries(
    Object.entries(ms).map(([name, value]) => [name, value / seconds]),
  );
  return { cpuMsPerSecond, otherCores };
}
