/**
 * The parts of a run: each one measures, stores its result, and returns the tables and charts to
 * show.
 */
import { quietPerSecond, type Part, type Plan } from "./plan.ts";
import { bareChainTables } from "./report/bare-chain-tables.ts";
import type { Chart } from "./report/chart.ts";
import * as charts from "./report/charts.ts";
import { liveTables } from "./report/live-tables.ts";
import * as tables from "./report/pipeline-tables.ts";
import { callTables, roomSignallingTables } from "./report/room-tables.ts";
import { historySizeTable, soakTables } from "./report/size-tables.ts";
import type { Table } from "./report/table.ts";
import type { Measurements } from "./results.ts";
import { apiWrites } from "./scenarios/api-writes.ts";
import { bareChain } from "./scenarios/bare-chain.ts";
import { calls } from "./scenarios/calls.ts";
import { measureClaims } from "./scenarios/claim.ts";
import { deliveryLog } from "./scenarios/delivery-log.ts";
import { drain, warmUp } from "./scenarios/drain.ts";
import { historySize } from "./scenarios/history-size.ts";
import { bad, healthy, isolation } from "./scenarios/isolation.ts";
import { latency } from "./scenarios/latency.ts";
import { lists } from "./scenarios/lists.ts";
import { live } from "./scenarios/live.ts";
import { load } from "./scenarios/load.ts";
import { outage } from "./scenarios/outage.ts";
import { roomSignalling } from "./scenarios/room-signalling.ts";
import { soak } from "./scenarios/soak.ts";
import { readStatements, resetStatements } from "./scenarios/statements.ts";
import { platformRoles, profileFlags, throughput } from "./scenarios/throughput.ts";
import { platformProcesses, sumOf } from "./support/costs.ts";
import { createRig, type Line, type Rig } from "./support/rig.ts";
import type { Bench } from "./support/run-bench.ts";
import { mapValues } from "./support/statistics.ts";
import { startStack, type RoleOptions } from "./support/stack.ts";

export type StepInput = { bench: Bench; plan: Plan; measured: Measurements };
type Shown = { tables: Table[]; charts?: Chart[] };
type Step = (input: StepInput) => Promise<Shown>;

/** Runs `work` with one webhook and the roles of the platform. */
async function withLine<T>(
  { bench, plan }: StepInput,
  work: (rig: Rig, options: { line: Line; roles: RoleOptions }) => Promise<T>,
): Promise<T> {
  const rig = await bench.openRig();
  const line = await rig.openLine(1);
  const result = await work(rig, { line, roles: platformRoles(plan) });
  await line.close();
  return result;
}

/** Runs `work` with many enterprises, one webhook each, and the roles of the platform. */
async function withTenants<T>(
  { bench, plan }: StepInput,
  work: (
    rig: Rig,
    options: Plan & { line: Line; roles: RoleOptions; seconds: number },
  ) => Promise<T>,
): Promise<T> {
  const rig = await bench.openRig();
  const line = await rig.openTenants(healthy + bad);
  const roles = platformRoles(plan);
  await warmUp(rig, { line, roles, events: plan.warmUpEvents });
  const result = await work(rig, { line, roles, ...plan, seconds: plan.isolationSeconds });
  await line.close();
  return result;
}

const measureThroughput: Step = async ({ bench, plan, measured }) => {
  const result = await throughput(await bench.openRig(), plan);
  measured.throughput = result;
  return { tables: tables.throughputTables(result), charts: charts.throughputCharts(result) };
};

const measureLatency: Step = async (input) => {
  const { plan, measured } = input;
  const result = await withLine(input, (rig, options) => load(rig, { ...options, plan }));
  measured.latency = result;
  return { tables: tables.loadTables("Redis", result), charts: charts.loadCharts(result) };
};

const measureBareChain: Step = async ({ bench, plan, measured }) => {
  const { rounds, latencySeconds: seconds, warmUpEvents: warmUpChanges } = plan;
  const options = { roles: platformRoles(plan), rounds, seconds, warmUpChanges };
  measured.bareChain = await bareChain(await bench.openRig(), options);
  return { tables: bareChainTables(measured.bareChain) };
};

const measurePostgres: Step = async (input) => {
  const { plan, measured } = input;
  const roles: RoleOptions = { queue: "postgres" };
  const events = plan.postgresDrainEvents;
  const shorter = {
    warmUpEvents: plan.warmUpEvents / 4,
    idleSeconds: plan.idleSeconds,
    latencySeconds: Math.ceil(plan.latencySeconds / 2),
    sustainSeconds: Math.ceil(plan.sustainSeconds / 2),
  };
  measured.postgres = await withLine(input, async (rig, { line }) => {
    await warmUp(rig, { line, roles, events: events / 4 });
    const drained = await drain(rig, { line, roles, events });
    return { drain: drained, ...(await load(rig, { line, roles, plan: shorter })) };
  });
  return {
    tables: [
      tables.postgresDrainTable(measured.postgres.drain),
      ...tables.loadTables("Postgres", measured.postgres),
    ],
    charts: charts.loadCharts(measured.postgres),
  };
};

const measureApi: Step = async ({ bench, plan, measured }) => {
  const rig = await bench.openRig();
  measured.api = [];
  for (const clients of plan.isQuick ? [16] : [1, 16]) {
    const options = { roles: platformRoles(plan), clients, seconds: plan.apiSeconds };
    measured.api.push(await apiWrites(rig, { ...options, webFlags: profileFlags(plan) }));
  }
  return { tables: [tables.apiTable(measured.api)], charts: [charts.apiChart(measured.api)] };
};

const measureLists: Step = async ({ bench, plan, measured }) => {
  const { listTickets: tickets, listDays: days, listRounds: rounds } = plan;
  measured.lists = await lists(bench.stack, { tickets, days, rounds });
  const { answersMs } = measured.lists;
  return { tables: [tables.listsTable(measured.lists)], charts: [charts.answersChart(answersMs)] };
};

const measureDeliveryLog: Step = async ({ bench, plan, measured }) => {
  const { logDeliveries: deliveries, logRounds: rounds } = plan;
  const { print } = bench;
  measured.deliveryLog = await deliveryLog(bench.stack, { deliveries, rounds, print });
  const answers = mapValues(measured.deliveryLog.searches, ({ ms }) => ms);
  return {
    tables: [tables.deliveryLogTable(measured.deliveryLog)],
    charts: [charts.answersChart(answers)],
  };
};

const measureLive: Step = async ({ bench, plan, measured }) => {
  const { liveDeliveries: deliveries, openDeliveries: open, livePerSecond: perSecond } = plan;
  const { print } = bench;
  const options = { deliveries, open, perSecond, seconds: plan.liveSeconds, print };
  measured.live = await live(bench.stack, options);
  return { tables: liveTables(measured.live), charts: [charts.liveChart(measured.live)] };
};

const measureClaim: Step = async ({ bench, plan, measured }) => {
  await (await bench.openRig()).stopRoles();
  const { claimRounds: rounds, claims: count } = plan;
  measured.claim = await measureClaims(bench.stack, { rounds, count });
  const whole = measured.throughput?.drains["platform"]?.cpuUsPerDelivery;
  const wholeUs = whole === undefined ? undefined : sumOf(whole, platformProcesses);
  return {
    tables: [tables.claimTable(measured.claim, wholeUs)],
    charts: [charts.claimChart(measured.claim)],
  };
};

const measureStatements: Step = async (input) => {
  const { bench, plan, measured } = input;
  const result = await withLine(input, async (rig, { line, roles }) => {
    await warmUp(rig, { line, roles, events: plan.warmUpEvents });
    const tickets = { roles, clients: 16, seconds: plan.apiSeconds };
    const onWarm = (): Promise<void> => resetStatements(bench.stack);
    const quiet = { line, roles, perSecond: quietPerSecond, seconds: 5, size: 1 };
    const loads: Record<string, () => Promise<number>> = {
      "a backlog": async () =>
        (await drain(rig, { line, roles, events: plan.drainEvents })).deliveries,
      "50 events a second": async () => (await latency(rig, quiet)).samples,
      "tickets through the REST interface": async () =>
        (await apiWrites(rig, { ...tickets, onWarm })).written,
    };
    const costs: NonNullable<Measurements["statements"]> = {};
    for (const [name, run] of Object.entries(loads)) {
      await resetStatements(bench.stack);
      costs[name] = await readStatements(bench.stack, await run());
    }
    return costs;
  });
  measured.statements = result;
  return {
    tables: Object.entries(result).map(([name, costs]) => tables.statementTable(name, costs)),
  };
};

const measureIsolation: Step = async (input) => {
  const rounds = input.plan.isolationRounds;
  const result = await withTenants(input, (rig, options) => isolation(rig, { ...options, rounds }));
  input.measured.isolation = result;
  return {
    tables: [tables.isolationTable(result)],
    charts: [charts.isolationChart(result.phases)],
  };
};

const measureOutage: Step = async (input) => {
  const backlog = input.plan.outageBacklog;
  const result = await withTenants(input, (rig, options) => outage(rig, { ...options, backlog }));
  input.measured.outage = result;
  return {
    tables: [tables.outageTable(result)],
    charts: [charts.outageChart(result.phases)],
  };
};

const measureRooms: Step = async ({ bench, plan, measured }) => {
  const { rooms, roomSeconds: seconds } = plan;
  const options = { rooms, seconds, webFlags: profileFlags(plan) };
  measured.rooms = await roomSignalling(bench.stack, options);
  return { tables: roomSignallingTables(measured.rooms) };
};

const measureCalls: Step = async ({ bench, plan, measured }) => {
  const options = { calls: plan.calls, outages: plan.outageRounds, print: bench.print };
  measured.calls = await calls(bench.stack, options);
  return { tables: callTables(measured.calls) };
};

const measureHistorySize: Step = async (input) => {
  const { bench, plan, measured } = input;
  const { historyRows: rows } = plan;
  const { print } = bench;
  const second = await startStack();
  try {
    const rig = await createRig(second);
    const empty = { rig, line: await rig.openLine(1), roles: platformRoles(plan) };
    measured.historySize = await withLine(input, (filledRig, options) =>
      historySize({ filled: { rig: filledRig, ...options }, empty, rows, plan, print }),
    );
  } finally {
    await second.stop();
  }
  return {
    tables: [historySizeTable(measured.historySize)],
    charts: charts.historySizeCharts(measured.historySize),
  };
};

const measureSoak: Step = async (input) => {
  const { plan, measured } = input;
  const { soakMinutes: minutes, sustainSeconds, warmUpEvents } = plan;
  measured.soak = await withLine(input, (rig, options) =>
    soak(rig, { ...options, minutes, sustainSeconds, warmUpEvents }),
  );
  return { tables: soakTables(measured.soak), charts: charts.soakCharts(measured.soak) };
};

export const steps: Record<Part, Step> = {
  throughput: measureThroughput,
  latency: measureLatency,
  "bare-chain": measureBareChain,
  postgres: measurePostgres,
  api: measureApi,
  lists: measureLists,
  claim: measureClaim,
  statements: measureStatements,
  "delivery-log": measureDeliveryLog,
  live: measureLive,
  isolation: measureIsolation,
  outage: measureOutage,
  rooms: measureRooms,
  calls: measureCalls,
  "history-size": measureHistorySize,
  soak: measureSoak,
};
