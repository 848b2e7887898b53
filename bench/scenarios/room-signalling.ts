/**
 * Signalling of many calls (`--only=rooms`): both pages of each room on one web process, then
 * agents and customers on two. Measures the cost for the web processes and Postgres, and the
 * latency of pointers.
 */
import { sleep } from "../../src/platform/concurrency/async.ts";
import type { RoomLoad, RoomLoadCommands } from "../processes/room-load.ts";
import { remoteOf } from "../support/commands.ts";
import { countCpu } from "../support/costs.ts";
import { agent, calmDown, startRole, type Stack } from "../support/stack.ts";
import { percentilesOf, type Percentiles } from "../support/statistics.ts";
import { memoryMb, peakMemoryMb } from "../support/usage.ts";
import { openVisits, type Visit } from "../support/visits.ts";

export type RoomSignallingResult = {
  rooms: number;
  phases: RoomPhase[];
};

export type RoomPhase = {
  processes: number;
  /** CPU of all web processes together; 100 is one core. */
  webPercent: number;
  postgresPercent: number;
  clientPercent: number;
  otherCores: number;
  /**
   * Memory of each web process: before the first page, at the end of the measurement, and at its
   * peak.
   */
  idleMemoryMb: number[];
  memoryMb: number[];
  peakMemoryMb: number[];
  pointerMs: Percentiles;
  pointersLost: number;
  chatMs: Percentiles;
  stateMs: Percentiles;
  disconnects: number;
};

export type RoomSignallingOptions = Readonly<{
  rooms: number;
  seconds: number;
  webFlags: readonly string[];
}>;

/** One customer and one agent in each room. */
const load = { perMinute: 1, pointersPerSecond: 10, pointingShare: 0.1 } as const;

/** The simulated pages make many more requests than people would. */
const limits = { RATE_LIMIT_GUEST: "100000000" };

export async function roomSignalling(
  stack: Stack,
  { rooms, seconds, webFlags }: RoomSignallingOptions,
): Promise<RoomSignallingResult> {
  const phases: RoomPhase[] = [];
  for (const processes of [1, 2]) {
    const visits = await makeVisits(stack, rooms); // a consent is valid for one session only
    await calmDown(stack);
    phases.push(await measure(stack, { visits, processes, webFlags, ...load, seconds }));
  }
  return { rooms, phases };
}

/** Runs in a separate process, so that its CPU is not measured. */
async function makeVisits(stack: Stack, count: number): Promise<Visit[]> {
  const { child, url } = await startRole(stack, "web-seed", {
    ...{ file: "src/server.ts", queue: "redis", env: limits },
  });
  const visits = await openVisits(url, { login: agent, count, parallel: 8 });
  await child.stop();
  return visits;
}

/** Time for sessions to begin, new pages to stop, and caches to fill. */
const settleMs = 10_000;

async function measure(
  stack: Stack,
  options: RoomLoad & {
    visits: readonly Visit[];
    processes: number;
    webFlags: readonly string[];
  },
): Promise<RoomPhase> {
  const { visits, processes, webFlags, ...roomLoad } = options;
  const started = await Promise.all(
    Array.from({ length: processes }, (_, n) =>
      startRole(stack, `web-${processes}-${n + 1}`, {
        ...{ file: "src/server.ts", queue: "redis", env: limits, flags: webFlags },
      }),
    ),
  );
  const pids = started.map(({ child }) => child.pid);
  const idleMemoryMb = pids.map(memoryMb);
  const file = "bench/processes/room-load.ts";
  const clients = stack.children.startNode({ name: "room-load", file, hasChannel: true });
  const remote = remoteOf<RoomLoadCommands>(clients);
  const [agentUrl = "", customerUrl = agentUrl] = started.map(({ url }) => url);
  await remote("open", { agentUrl, customerUrl, visits });
  await sleep(settleMs);
  const stopCounting = countCpu({
    ...Object.fromEntries(pids.map((pid, n) => [`web-${n}`, { pid }])),
    postgres: { pid: stack.postgresPid, isTree: true },
    redis: { pid: stack.redisPid },
    client: { pid: clients.pid },
  });
  const startedMs = performance.now();
  const heard = await remote("run", roomLoad);
  const tookMs = performance.now() - startedMs;
  const { ms, otherCores } = stopCounting();
  const percentOf = (name: string): number =>
    Object.entries(ms).reduce((sum, [key, value]) => sum + (key.startsWith(name) ? value : 0), 0) /
    (tookMs / 100);
  const phase = {
    processes,
    webPercent: percentOf("web-"),
    postgresPercent: percentOf("postgres"),
    clientPercent: percentOf("client"),
    otherCores,
    idleMemoryMb,
    memoryMb: pids.map(memoryMb),
    peakMemoryMb: pids.map(peakMemoryMb),
    pointerMs: percentilesOf(heard.pointerMs),
    pointersLost: heard.pointersLost,
    chatMs: percentilesOf(heard.chatMs),
    stateMs: percentilesOf(heard.stateMs),
    disconnects: heard.disconnects,
  };
  await remote("close");
  await clients.stop();
  await Promise.all(started.map(({ child }) => child.stop()));
  return phase;
}
