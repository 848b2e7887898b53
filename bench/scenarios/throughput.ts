/**
 * Alternates the pipeline and the bare loop over several rounds. Other load on the machine affects
 * both, so their ratio is more reliable than either result.
 */
import type { Plan } from "../plan.ts";
import type { PosterName } from "../processes/loop.ts";
import type { Line, Rig } from "../support/rig.ts";
import type { RoleOptions } from "../support/stack.ts";
import { mapValues, medianOfAll } from "../support/statistics.ts";
import { bareLoop, type BareLoopResult } from "./bare-loop.ts";
import { drain, warmUp, type DrainResult } from "./drain.ts";

export type ThroughputResult = {
  rounds: number;
  loops: Record<string, BareLoopResult>;
  drains: Record<string, DrainResult>;
  /** Rates of each round, to show the spread. */
  loopRates: Record<string, number[]>;
  drainRates: Record<string, number[]>;
};

type DrainKind = { name: string; roles: RoleOptions; isWide?: boolean };

export function profileFlags({ profileDir }: Plan): string[] {
  return profileDir === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileDir}`];
}

/** The platform's delivery process, profiled if requested. */
export function platformRoles(plan: Plan): RoleOptions {
  return {
    queue: "redis",
    deliveryFlags: profileFlags(plan),
  };
}

function drainsOf(plan: Plan): DrainKind[] {
  return [
    { name: "platform", roles: platformRoles(plan) },
    { name: "platform, 10 subscriptions", roles: platformRoles(plan), isWide: true },
  ];
}

function loopsOf(plan: Plan): PosterName[] {
  return ["platform", "bare node:http", ...(plan.isQuick ? [] : (["plain got"] as const))];
}

const wide = 10;

type Lists = { loops: Record<string, BareLoopResult[]>; drains: Record<string, DrainResult[]> };

async function measureRound(
  rig: Rig,
  plan: Plan,
  { lines, lists }: { lines: { narrow: Line; wide: Line }; lists: Lists },
): Promise<void> {
  for (const client of loopsOf(plan)) {
    const options = { client, warmUpPosts: plan.warmUpEvents, measureMs: plan.loopMs };
    (lists.loops[client] ??= []).push(await bareLoop(rig, options));
  }
  for (const { name, roles, isWide } of drainsOf(plan)) {
    const line = isWide === true ? lines.wide : lines.narrow;
    const share = isWide === true ? wide : 1;
    await warmUp(rig, { line, roles, events: Math.ceil(plan.warmUpEvents / share) });
    const events = Math.ceil(plan.drainEvents / share);
    (lists.drains[name] ??= []).push(await drain(rig, { line, roles, events }));
  }
}

export async function throughput(rig: Rig, plan: Plan): Promise<ThroughputResult> {
  const lines = { narrow: await rig.openLine(1), wide: await rig.openLine(wide) };
  const lists: Lists = { loops: {}, drains: {} };
  for (let round = 0; round < plan.rounds; round += 1) {
    await measureRound(rig, plan, { lines, lists });
  }
  await lines.narrow.close();
  await lines.wide.close();
  const ratesOf = (results: readonly { perSecond: number }[]) =>
    results.map(({ perSecond }) => perSecond);
  return {
    rounds: plan.rounds,
    loops: mapValues(lists.loops, (all) => medianOfAll(all)),
    drains: mapValues(lists.drains, (all) => medianOfAll(all)),
    loopRates: mapValues(lists.loops, ratesOf),
    drainRates: mapValues(lists.drains, ratesOf),
  };
}
