/** One queue backend: idle, at a low rate, at its maximum, and near its maximum. */
import { busyShare, busySize, quietPerSecond, type Plan } from "../plan.ts";
import type { Line, Rig } from "../support/rig.ts";
import type { RoleOptions } from "../support/stack.ts";
import { warmUp } from "./drain.ts";
import { idle, type IdleResult } from "./idle.ts";
import { latency, type LatencyResult } from "./latency.ts";
import { sustain, type SustainResult } from "./sustain.ts";

export type LoadResult = {
  idle: IdleResult;
  /** The maximum rate while events are written at the same time. */
  sustained: SustainResult;
  quiet: LatencyResult;
  busy: LatencyResult;
};

type Seconds = Pick<Plan, "warmUpEvents" | "idleSeconds" | "latencySeconds" | "sustainSeconds">;

export async function load(
  rig: Rig,
  { line, roles, plan }: { line: Line; roles: RoleOptions; plan: Seconds },
): Promise<LoadResult> {
  const { latencySeconds: seconds, idleSeconds, sustainSeconds, warmUpEvents } = plan;
  await warmUp(rig, { line, roles, events: warmUpEvents });
  const resting = await idle(rig, { roles, seconds: idleSeconds });
  const quiet = await latency(rig, { line, roles, perSecond: quietPerSecond, seconds, size: 1 });
  const sustained = await sustain(rig, { line, roles, size: busySize, seconds: sustainSeconds });
  const perSecond = Math.max(1, Math.floor(sustained.perSecond * busyShare));
  const busy = await latency(rig, { line, roles, perSecond, seconds, size: busySize });
  return { idle: resting, sustained, quiet, busy };
}
