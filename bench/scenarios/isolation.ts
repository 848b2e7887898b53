/**
 * How failing receivers affect others. Each tenant has one subscription and a fixed event rate; then
 * 10 % more tenants are added whose receivers worked well until they hang until the time-out or answer
 * 500. Measures only the healthy tenants, from the commit to the receiver, and compares with runs
 * just before and after, because the load of a shared machine changes every minute. More tenants
 * write more events: a phase in which the added receivers work shows what that alone costs.
 */
import { busySize as size } from "../plan.ts";
import type { Behavior } from "../processes/receiver.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import type { Line, Rig } from "../support/rig.ts";
import { calmDown, type RoleOptions } from "../support/stack.ts";
import { mapValues, median, percentilesOf, type Percentiles } from "../support/statistics.ts";
import { countCpu, processesOf } from "../support/costs.ts";
import { sustain } from "./sustain.ts";

export const healthy = 200;
export const bad = 20;

export type Phase = {
  name: string;
  healthyPerSecond: number;
  samples: number;
  fromCommitMs: Percentiles;
  otherCores: number;
};

export type IsolationResult = {
  maxPerSecond: number;
  phases: Phase[];
  /**
   * p99 with the added receivers, divided by the mean p99 before and after; median of the rounds in
   * which no other programs used the machine, or of all if there are none.
   */
  ratios: Record<string, number>;
};

/** Of a round. */
type Ratio = { value: number; otherCores: number };

/** More, and a phase says something about other programs. */
const mostOtherCores = 0.05;

function medianRatio(rounds: readonly Ratio[]): number {
  const quiet = rounds.filter(({ otherCores }) => otherCores < mostOtherCores);
  return median((quiet.length > 0 ? quiet : rounds).map(({ value }) => value));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

export const tenantsOf = { healthy: range(0, healthy), bad: range(healthy, healthy + bad) };

/** Waits until all events of the healthy tenants have arrived. */
async function awaitHealthy(
  rig: Rig,
  isHealthy: (index: number) => boolean,
): Promise<Float64Array> {
  for (let polls = 0; ; polls += 1) {
    const { firstAt } = await rig.receiver("arrivals");
    const missing = firstAt.filter((at, index) => at === 0 && isHealthy(index)).length;
    if (missing === 0) {
      return firstAt;
    }
    if (polls === 300) {
      throw new Error(`${missing} deliveries of healthy receivers did not come`);
    }
    await sleep(100);
  }
}

export type PhaseOptions = {
  name: string;
  line: Line;
  roles: RoleOptions;
  seconds: number;
  /** Total events per second of the healthy tenants. */
  perSecond: number;
  /** Additional tenants, each with the same rate as a healthy one. */
  others: readonly number[];
};

/** Writes round-robin at a fixed rate, and measures the healthy tenants. */
export async function measurePhase(rig: Rig, options: PhaseOptions): Promise<Phase> {
  const { line, perSecond, seconds, others } = options;
  const aimed = [...tenantsOf.healthy, ...others];
  const share = aimed.length / healthy;
  await line.generator("aim", {
    enterpriseIds: aimed.map((tenant) => line.enterpriseIds[tenant] ?? 0),
  });
  const roles = await rig.useRoles(options.roles);
  const count = Math.ceil((perSecond * share * seconds) / size) * size;
  const first = await line.expect(count);
  const isHealthy = (index: number): boolean => (first + index) % aimed.length < healthy;
  const stopCounting = countCpu(processesOf(rig, roles, line));
  const written = await line.generator("openLoop", {
    range: { first, count },
    perSecond: perSecond * share,
    size,
  });
  const firstAt = await awaitHealthy(rig, isHealthy);
  const { otherCores } = stopCounting();
  const latencies = firstAt
    .map((at, index) => at - (written.committedAt[index] ?? Number.NaN))
    .filter((_, index) => isHealthy(index));
  return {
    name: options.name,
    healthyPerSecond: perSecond,
    samples: latencies.length,
    fromCommitMs: percentilesOf(latencies),
    otherCores,
  };
}

/**
 * Cleans up after a failing phase, so that all phases start in the same state. The concurrency windows
 * of the others stay as they are: they are those of webhooks that have worked for a while.
 */
export async function resetFailures(rig: Rig, { enterpriseIds }: Line): Promise<void> {
  await rig.receiver("behave", { tenants: tenantsOf.bad, behavior: "answers" });
  await rowsOf(
    rig.stack.db,
    `UPDATE deliveries SET state = 'cancelled', generation = generation + 1
     WHERE state IN ('pending', 'retry', 'queued', 'sending')`,
  );
  await rowsOf(
    rig.stack.db,
    `UPDATE subscription_health SET window_size = DEFAULT, failing_since = NULL, probe_at = NULL,
       failures_in_row = 0
     WHERE enterprise_id = ANY(?)`,
    [tenantsOf.bad.map((tenant) => enterpriseIds[tenant] ?? 0)],
  );
}

export type IsolationOptions = {
  line: Line;
  roles: RoleOptions;
  seconds: number;
  sustainSeconds: number;
  rounds: number;
};

/** The rate that the machine can sustain for these tenants, including writes. */
export async function measureMaximum(
  rig: Rig,
  { line, roles, sustainSeconds }: Omit<IsolationOptions, "seconds" | "rounds">,
): Promise<number> {
  const ids = tenantsOf.healthy.map((tenant) => line.enterpriseIds[tenant] ?? 0);
  await line.generator("aim", { enterpriseIds: ids });
  const result = await sustain(rig, { line, roles, seconds: sustainSeconds, size });
  return result.perSecond;
}

/** How long the receivers of a failing phase work before it. */
const workingSeconds = 5;

const additions: readonly { name: string; behavior: Behavior }[] = [
  { name: `${bad} more that work`, behavior: "answers" },
  { name: `${bad} more hang until the time-out`, behavior: "hangs" },
  { name: `${bad} more answer 500`, behavior: "fails" },
];

export async function isolation(rig: Rig, options: IsolationOptions): Promise<IsolationResult> {
  const maxPerSecond = await measureMaximum(rig, options);
  const perSecond = Math.floor(maxPerSecond / 2);
  const measure = async (more: Pick<PhaseOptions, "name" | "seconds" | "others">) => {
    // All phases start with WAL files that can be reused: to create one delays all commits.
    await calmDown(rig.stack);
    return measurePhase(rig, { ...options, perSecond, ...more });
  };
  const quiet = (): Promise<Phase> =>
    measure({ name: `${healthy} healthy`, seconds: options.seconds, others: [] });
  const phases = [await quiet()];
  const ratios: Record<string, Ratio[]> = {};
  // In rounds: a single pause of the machine decides the p99 of a phase.
  const rounds = Array.from({ length: options.rounds }, () => additions);
  for (const { name, behavior } of rounds.flat()) {
    // At first they answer, so that they may have as many requests in flight as any other.
    await measure({ name, seconds: workingSeconds, others: tenantsOf.bad });
    await rig.receiver("behave", { tenants: tenantsOf.bad, behavior });
    // Long enough for hanging requests to end and be retried.
    const seconds = Math.max(options.seconds, 30);
    const added = await measure({ name, seconds, others: tenantsOf.bad });
    await resetFailures(rig, options.line);
    const after = await quiet();
    const before = phases.at(-1) ?? after;
    phases.push(added, after);
    const usual = (before.fromCommitMs.p99 + after.fromCommitMs.p99) / 2;
    (ratios[name] ??= []).push({
      value: added.fromCommitMs.p99 / usual,
      otherCores: Math.max(...[before, added, after].map((phase) => phase.otherCores)),
    });
  }
  return { maxPerSecond, phases, ratios: mapValues(ratios, medianRatio) };
}
