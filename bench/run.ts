/**
 * `npm run bench`: capacity and cost of the pipeline, with real processes, a durable Postgres and a
 * real Redis on this machine. Prints tables and writes JSON. Fails if a single delivery is lost or
 * duplicated. See `bench/README.md`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readArguments } from "../src/config/environment.ts";
import { planOf, type Plan } from "./plan.ts";
import { liveTables } from "./live-report.ts";
import * as report from "./report.ts";
import { measureCalls, measureRooms } from "./room-steps.ts";
import { apiWrites, type ApiWritesResult } from "./scenarios/api-writes.ts";
import type { CallsResult } from "./scenarios/calls.ts";
import { measureClaims, type ClaimResult } from "./scenarios/claim.ts";
import {
  deliveryLog,
  deliveryLogSettings,
  type DeliveryLogResult,
} from "./scenarios/delivery-log.ts";
import { drain, warmUp, type DrainResult } from "./scenarios/drain.ts";
import { idle, type IdleResult } from "./scenarios/idle.ts";
import { bad, healthy, isolation, type IsolationResult } from "./scenarios/isolation.ts";
import { latency, type LatencyResult } from "./scenarios/latency.ts";
import { live, type LiveResult } from "./scenarios/live.ts";
import { lists, type ListsResult } from "./scenarios/lists.ts";
import { outage, type OutageResult } from "./scenarios/outage.ts";
import type { RoomSignallingResult } from "./scenarios/room-signalling.ts";
import {
  readStatements,
  resetStatements,
  statementSettings,
  type StatementCost,
} from "./scenarios/statements.ts";
import { sustain, type SustainResult } from "./scenarios/sustain.ts";
import {
  platformRoles,
  profileFlags,
  throughput,
  type ThroughputResult,
} from "./scenarios/throughput.ts";
import { platformProcesses, sumOf } from "./support/costs.ts";
import { describeMachine, type Machine } from "./support/machine.ts";
import type { Line } from "./support/rig.ts";
import { runBench, type Bench } from "./support/run-bench.ts";
import type { RoleOptions } from "./support/stack.ts";

type Results = {
  startedAt: string;
  isQuick: boolean;
  machine: Machine;
  throughput?: ThroughputResult;
  sustain?: Record<string, SustainResult>;
  latency?: Record<string, LatencyResult>;
  idle?: Record<string, IdleResult>;
  postgresDrain?: DrainResult;
  api?: ApiWritesResult[];
  lists?: ListsResult;
  deliveryLog?: DeliveryLogResult;
  live?: LiveResult;
  claim?: ClaimResult[];
  statements?: Record<string, StatementCost[]>;
  isolation?: IsolationResult;
  outage?: OutageResult;
  rooms?: RoomSignallingResult;
  calls?: CallsResult;
};

type Step = (bench: Bench, plan: Plan, results: Results) => Promise<void>;

const measureThroughput: Step = async (bench, plan, results) => {
  const result = await throughput(await bench.openRig(), plan);
  results.throughput = result;
  bench.print(report.throughputTables(result));
  bench.print(report.memoryTable(result.drains["platform"]?.peakMemoryMb ?? {}));
};

/** Events per transaction at high rates: a use case writes a handful. */
const busySize = 4;

type Load = { name: string; line: Line; roles: RoleOptions };

type LoadResult = {
  sustained: SustainResult;
  resting: IdleResult;
  latencies: Record<string, LatencyResult>;
};

async function measureLoad(
  bench: Bench,
  plan: Plan,
  { name, line, roles }: Load,
): Promise<LoadResult> {
  const rig = await bench.openRig();
  await warmUp(rig, { line, roles, events: plan.warmUpEvents });
  const resting = await idle(rig, { roles, seconds: plan.idleSeconds });
  const seconds = plan.latencySeconds;
  const quiet = await latency(rig, { line, roles, perSecond: 50, seconds, size: 1 });
  const sustained = await sustain(rig, {
    ...{ line, roles, size: busySize },
    seconds: plan.sustainSeconds,
  });
  const perSecond = Math.floor(sustained.perSecond * 0.7);
  const busy = await latency(rig, { line, roles, perSecond, seconds, size: busySize });
  return {
    sustained,
    resting,
    latencies: {
      [`${name}, 50 events/s`]: quiet,
      [`${name}, 70 % of the maximum (${perSecond}/s)`]: busy,
    },
  };
}

const addLoad: (load: (plan: Plan) => Omit<Load, "line">) => Step =
  (load) => async (bench, plan, results) => {
    const { name, roles } = load(plan);
    const line = await (await bench.openRig()).openLine(1);
    const { sustained, latencies, resting } = await measureLoad(bench, plan, { name, line, roles });
    await line.close();
    results.sustain = { ...results.sustain, [name]: sustained };
    results.latency = { ...results.latency, ...latencies };
    results.idle = { ...results.idle, [name]: resting };
    bench.print(report.idleTable({ [name]: resting }));
    bench.print(report.sustainTable({ [name]: sustained }));
    bench.print(report.latencyTable(latencies));
  };

const measureLatency = addLoad((plan) => ({ name: "Redis", roles: platformRoles(plan) }));

const postgresRoles: RoleOptions = { queue: "postgres" };

const measurePostgres: Step = async (bench, plan, results) => {
  const rig = await bench.openRig();
  const line = await rig.openLine(1);
  await warmUp(rig, { line, roles: postgresRoles, events: plan.postgresDrainEvents / 4 });
  const events = plan.postgresDrainEvents;
  results.postgresDrain = await drain(rig, { line, roles: postgresRoles, events });
  await line.close();
  bench.print(report.postgresDrainTable(results.postgresDrain));
  const shorter = {
    ...plan,
    warmUpEvents: plan.warmUpEvents / 4,
    latencySeconds: Math.ceil(plan.latencySeconds / 2),
    sustainSeconds: Math.ceil(plan.sustainSeconds / 2),
  };
  await addLoad(() => ({ name: "Postgres", roles: postgresRoles }))(bench, shorter, results);
};

const measureApi: Step = async (bench, plan, results) => {
  const rig = await bench.openRig();
  results.api = [];
  for (const clients of plan.isQuick ? [16] : [1, 16]) {
    const options = { roles: platformRoles(plan), clients, seconds: plan.apiSeconds };
    results.api.push(await apiWrites(rig, { ...options, webFlags: profileFlags(plan) }));
  }
  bench.print(report.apiTable(results.api));
};

const measureLists: Step = async (bench, plan, results) => {
  const { listTickets: tickets, listDays: days, listRounds: rounds } = plan;
  results.lists = await lists(bench.stack, { tickets, days, rounds });
  bench.print(report.listsTable(results.lists));
};

const measureDeliveryLog: Step = async (bench, plan, results) => {
  const { logDeliveries: deliveries, logRounds: rounds } = plan;
  const print = (text: string): void => bench.print(text);
  results.deliveryLog = await deliveryLog(bench.stack, { deliveries, rounds, print });
  bench.print(report.deliveryLogTable(results.deliveryLog));
};

const measureLive: Step = async (bench, plan, results) => {
  const { liveDeliveries: deliveries, openDeliveries: open, livePerSecond: perSecond } = plan;
  const print = (text: string): void => bench.print(text);
  const options = { deliveries, open, perSecond, seconds: plan.liveSeconds, print };
  results.live = await live(bench.stack, options);
  bench.print(liveTables(results.live));
};

const measureClaim: Step = async (bench, plan, results) => {
  await (await bench.openRig()).stopRoles();
  results.claim = await measureClaims(bench.stack, {
    rounds: plan.claimRounds,
    count: plan.claims,
  });
  const whole = results.throughput?.drains["platform"]?.cpuUsPerDelivery;
  const wholeUs = whole === undefined ? undefined : sumOf(whole, platformProcesses);
  bench.print(report.claimTable(results.claim, wholeUs));
};

const measureStatements: Step = async (bench, plan, results) => {
  const rig = await bench.openRig();
  const line = await rig.openLine(1);
  const roles = platformRoles(plan);
  await warmUp(rig, { line, roles, events: plan.warmUpEvents });
  const loads: Record<string, () => Promise<number>> = {
    "a backlog": async () =>
      (await drain(rig, { line, roles, events: plan.drainEvents })).deliveries,
    "50 events a second": async () =>
      (await latency(rig, { line, roles, perSecond: 50, seconds: 5, size: 1 })).samples,
    "tickets through the REST interface": async () =>
      (
        await apiWrites(rig, {
          ...{ roles, clients: 16, seconds: plan.apiSeconds },
          onWarm: () => resetStatements(bench.stack),
        })
      ).written,
  };
  results.statements = {};
  for (const [name, run] of Object.entries(loads)) {
    await resetStatements(bench.stack);
    const costs = await readStatements(bench.stack, await run());
    results.statements[name] = costs;
    bench.print(report.statementTable(name, costs));
  }
  await line.close();
};

async function tenants(bench: Bench, plan: Plan) {
  const rig = await bench.openRig();
  const line = await rig.openTenants(healthy + bad);
  const roles = platformRoles(plan);
  await warmUp(rig, { line, roles, events: plan.warmUpEvents });
  return { rig, options: { line, roles, ...plan, seconds: plan.isolationSeconds } };
}

const measureIsolation: Step = async (bench, plan, results) => {
  const { rig, options } = await tenants(bench, plan);
  results.isolation = await isolation(rig, options);
  await options.line.close();
  bench.print(report.isolationTable(results.isolation));
};

const measureOutage: Step = async (bench, plan, results) => {
  const { rig, options } = await tenants(bench, plan);
  results.outage = await outage(rig, { ...options, backlog: plan.outageBacklog });
  await options.line.close();
  bench.print(report.outageTable(results.outage));
};

const steps: Record<Plan["parts"][number], Step> = {
  throughput: measureThroughput,
  latency: measureLatency,
  postgres: measurePostgres,
  api: measureApi,
  lists: measureLists,
  claim: measureClaim,
  statements: measureStatements,
  "delivery-log": measureDeliveryLog,
  live: measureLive,
  isolation: measureIsolation,
  outage: measureOutage,
  rooms: async (bench, plan, results) => {
    results.rooms = await measureRooms(bench, plan);
  },
  calls: async (bench, plan, results) => {
    results.calls = await measureCalls(bench, plan);
  },
};

async function save(results: Results): Promise<string> {
  const dir = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(dir, { recursive: true });
  const file = `${dir}${results.startedAt.slice(0, 19).replaceAll(":", "-")}.json`;
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}

/** A long log is created without durability, but nothing else is measured on that database. */
function settingsOf({ parts }: Plan): Record<string, string> {
  return {
    ...(parts.includes("statements") ? statementSettings : {}),
    ...(parts.every((part) => part === "delivery-log") ? deliveryLogSettings : {}),
    ...(parts.every((part) => part === "live") ? { ...deliveryLogSettings, autovacuum: "on" } : {}),
  };
}

const plan = planOf(readArguments());

await runBench(async (bench) => {
  const machine = await describeMachine(bench.stack);
  bench.print(report.machineLine(machine));
  const results: Results = {
    startedAt: new Date().toISOString(),
    isQuick: plan.isQuick,
    machine,
  };
  for (const part of plan.parts) {
    await steps[part](bench, plan, results);
    await save(results); // results are kept, whatever fails later
  }
  bench.print(`\nEvery delivery arrived exactly once. Written to ${await save(results)}`);
}, settingsOf(plan));
