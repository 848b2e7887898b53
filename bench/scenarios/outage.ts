/**
 * A receiver returns after an hour with a large backlog, during other traffic: its concurrent
 * requests, the latency of other receivers, and the memory of Redis.
 */
import { rowsOf } from "../../src/platform/db/pool.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import type { Line, Rig } from "../support/rig.ts";
import { redisMemoryMb, type RoleOptions } from "../support/stack.ts";
import { resetFailures, measureMaximum, measurePhase, tenantsOf, type Phase } from "./isolation.ts";

export type OutageResult = {
  waiting: number;
  /** Most concurrent requests of the returned receiver during catch-up. */
  mostInFlight: number;
  largestWindow: number;
  /** Time from the return until 1 % of the backlog is left. */
  drainSeconds: number;
  redisMb: { before: number; whileWaiting: number; most: number };
  phases: Phase[];
  /** The worst p99 of the other receivers during catch-up, divided by their mean p99 without it. */
  ratio: number;
};

export type OutageOptions = {
  line: Line;
  roles: RoleOptions;
  /** Waiting deliveries at the end of the outage. */
  backlog: number;
  seconds: number;
  sustainSeconds: number;
};

const [away = 0] = tenantsOf.bad;

type State = { waiting: number; inFlight: number; window: number; isOpen: boolean };

async function stateOf(rig: Rig, enterpriseId: number): Promise<State> {
  const [row] = await rowsOf<State>(
    rig.stack.db,
    `SELECT h.window_size AS window, h.probe_at IS NOT NULL AS "isOpen",
       (SELECT count(*) FROM deliveries d WHERE d.subscription_id = s.id
          AND d.state IN ('queued', 'sending')) AS "inFlight",
       (SELECT count(*) FROM deliveries d WHERE d.subscription_id = s.id
          AND d.state IN ('pending', 'queued', 'sending', 'retry')) AS waiting
     FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
     WHERE s.enterprise_id = ?`,
    [enterpriseId],
  );
  return row ?? { waiting: 0, inFlight: 0, window: 0, isOpen: false };
}

/** The receiver hangs, its circuit opens, the backlog grows. */
async function startOutage(rig: Rig, { line, backlog }: OutageOptions): Promise<void> {
  const enterpriseId = line.enterpriseIds[away] ?? 0;
  await rig.receiver("behave", { tenants: [away], behavior: "hangs" });
  await line.generator("aim", { enterpriseIds: [enterpriseId] });
  const first = await line.expect(backlog);
  await line.generator("fill", { range: { first, count: backlog }, size: 50 });
  while (!(await stateOf(rig, enterpriseId)).isOpen) {
    await sleep(500);
  }
  // Simulates an outage of one hour.
  await rowsOf(
    rig.stack.db,
    `UPDATE subscription_health SET failing_since = failing_since - interval '1 hour'
     WHERE probe_at IS NOT NULL`,
  );
  await rowsOf(
    rig.stack.db,
    `UPDATE deliveries SET due_at = due_at - interval '1 hour' WHERE state IN ('pending', 'retry')`,
  );
}

/**
 * The receiver answers again, and the next probe is sent immediately. First waits for probes that
 * still hang, because their failure would delay the next one by two minutes.
 */
async function endOutage(rig: Rig, enterpriseId: number): Promise<void> {
  while ((await stateOf(rig, enterpriseId)).inFlight > 0) {
    await sleep(200);
  }
  await rig.receiver("behave", { tenants: [away], behavior: "answers" });
  await rowsOf(
    rig.stack.db,
    "UPDATE subscription_health SET probe_at = now() WHERE probe_at IS NOT NULL",
  );
}

/** The rest waits for its next retry, which is minutes after the backlog has drained. */
const restShare = 0.01;

export async function outage(rig: Rig, options: OutageOptions): Promise<OutageResult> {
  const enterpriseId = options.line.enterpriseIds[away] ?? 0;
  const perSecond = Math.floor((await measureMaximum(rig, options)) / 2);
  const measure = (name: string): Promise<Phase> =>
    measurePhase(rig, { ...options, name, perSecond, others: [] });
  const before = await redisMemoryMb(rig.stack);
  await startOutage(rig, options);
  const phases = [await measure("one is away")];
  const whileWaiting = await redisMemoryMb(rig.stack);
  const { waiting } = await stateOf(rig, enterpriseId);
  await endOutage(rig, enterpriseId);
  const startedAt = performance.now();
  const caughtUp: Phase[] = [];
  let most = whileWaiting;
  let largestWindow = 0;
  let state = await stateOf(rig, enterpriseId);
  while (state.waiting > options.backlog * restShare) {
    caughtUp.push(await measure(`it catches up, ${state.waiting} wait`));
    state = await stateOf(rig, enterpriseId);
    largestWindow = Math.max(largestWindow, state.window);
    most = Math.max(most, await redisMemoryMb(rig.stack));
  }
  const drainSeconds = (performance.now() - startedAt) / 1_000;
  const mostInFlight = await rig.receiver("mostInFlight", { tenant: away });
  phases.push(...caughtUp, await measure("afterwards"));
  await resetFailures(rig, options.line);
  const usual = ((phases[0]?.fromCommitMs.p99 ?? 0) + (phases.at(-1)?.fromCommitMs.p99 ?? 0)) / 2;
  const worst = Math.max(...caughtUp.map((phase) => phase.fromCommitMs.p99));
  return {
    ...{ waiting, mostInFlight, largestWindow, drainSeconds, phases },
    redisMb: { before, whileWaiting, most },
    ratio: worst / usual,
  };
}
