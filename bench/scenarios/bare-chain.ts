/**
 * What a single change costs on an almost idle system, beside the bare chain (`processes/chain.ts`).
 * The two alternate, and only one of them runs at a time. Their ratio says what the platform's own
 * work costs; the rest is that of four processes, two servers and their wake-ups.
 */
import { quietPerSecond } from "../plan.ts";
import type { ChainCommands } from "../processes/chain.ts";
import type { PatchLoadCommands, Target } from "../processes/patch-load.ts";
import { remoteOf, type Remote } from "../support/commands.ts";
import {
  countCpu,
  perDelivery,
  processesOf,
  sumOf,
  systemProcesses,
  type ByProcess,
  type Measured,
} from "../support/costs.ts";
import type { Rig } from "../support/rig.ts";
import {
  admin,
  agent,
  calmDown,
  startRole,
  type Login,
  type RoleOptions,
} from "../support/stack.ts";
import { median, medianOfAll, percentilesOf, type Percentiles } from "../support/statistics.ts";

export type SingleChanges = {
  cpuUsPerChange: ByProcess;
  /** From sending a change to its answer, and to the arrival of its webhook. One at a time. */
  answerMs: Percentiles;
  arrivalMs: Percentiles;
  otherCores: number;
};

export type BareChainResult = {
  rounds: number;
  platform: SingleChanges;
  chain: SingleChanges;
  /** The platform's figure as a multiple of the chain's: the median of the rounds. */
  ratios: { cpu: number; arrival: number };
};

export type BareChainOptions = {
  roles: RoleOptions;
  rounds: number;
  seconds: number;
  warmUpChanges: number;
};

/** A system under load. */
type System = {
  target: Target;
  processes: Record<string, Measured>;
  stop: () => Promise<void>;
};

type Load = Remote<PatchLoadCommands>;

async function api<Answer>(url: string, method: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, method });
  if (!response.ok) {
    throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`);
  }
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}

async function headersFor(url: string, { login, password }: Login) {
  const body = new URLSearchParams({ grant_type: "password", username: login, password });
  const { access_token } = await api<{ access_token: string }>(`${url}/api/token`, "POST", {
    body,
  });
  return { Authorization: `Bearer ${access_token}`, "Content-Type": "application/json" };
}

const tickets = 100;

/** Tickets and a webhook of the first enterprise; `remove` deletes the webhook. */
async function prepareTickets(url: string, receiverUrl: string) {
  const [agentHeaders, adminHeaders] = [await headersFor(url, agent), await headersFor(url, admin)];
  const ticket = JSON.stringify({ agent: agent.login, email: "customer@bench.example" });
  const ids: number[] = [];
  while (ids.length < tickets) {
    const init = { headers: agentHeaders, body: ticket };
    ids.push((await api<{ id: number }>(`${url}/api/tickets`, "POST", init)).id);
  }
  const webhook = { name: "Bench", url: receiverUrl, active: true, filters: ["ticket.update"] };
  const init = { headers: adminHeaders, body: JSON.stringify(webhook) };
  const { id } = await api<{ id: number }>(`${url}/api/webhooks`, "POST", init);
  const remove = (webUrl: string) =>
    api(`${webUrl}/api/webhooks/${id}`, "DELETE", { headers: adminHeaders });
  return { ids, headers: agentHeaders, remove };
}

type Prepared = Awaited<ReturnType<typeof prepareTickets>>;

/** The platform with a web process; the webhook is created the first time. */
async function startPlatform(
  rig: Rig,
  { roles, receiverUrl, prepared }: PlatformInput,
): Promise<System & { prepared: Prepared; url: string }> {
  const running = await rig.useRoles(roles);
  const options = { file: "src/server.ts", queue: roles.queue };
  const { child, url } = await startRole(rig.stack, "web", options);
  const ready = prepared ?? (await prepareTickets(url, receiverUrl));
  return {
    url,
    prepared: ready,
    target: { url: `${url}/api/tickets`, headers: ready.headers, ids: ready.ids },
    processes: { web: { pid: child.pid }, ...processesOf(rig, running) },
    stop: async () => {
      await child.stop();
      await rig.stopRoles();
    },
  };
}

type PlatformInput = { roles: RoleOptions; receiverUrl: string; prepared: Prepared | undefined };

async function startChain({ stack }: Rig, receiverUrl: string): Promise<System> {
  const file = "bench/processes/chain.ts";
  const start = (name: string) => stack.children.startNode({ name, file, hasChannel: true });
  const [web, relay, delivery] = [start("chain-web"), start("chain-relay"), start("chain-worker")];
  const servers = {
    databaseUrl: stack.databaseUrl,
    redisUrl: stack.environment("redis")["REDIS_URL"] ?? "",
  };
  await remoteOf<ChainCommands>(web)("createTables", servers);
  await remoteOf<ChainCommands>(relay)("relay", servers);
  await remoteOf<ChainCommands>(delivery)("worker", { ...servers, receiverUrl });
  const port = await remoteOf<ChainCommands>(web)("web", servers);
  const ids = Array.from({ length: tickets }, (_, index) => index + 1);
  return {
    target: { url: `http://127.0.0.1:${port}`, headers: {}, ids },
    processes: {
      ...{ web: { pid: web.pid }, relay: { pid: relay.pid }, delivery: { pid: delivery.pid } },
      postgres: { pid: stack.postgresPid, isTree: true },
      redis: { pid: stack.redisPid },
    },
    stop: async () => {
      for (const child of [web, relay, delivery]) {
        await child.stop();
      }
    },
  };
}

const warmUpClients = 16;
const changesOneByOne = 60;
const pauseMs = 60;

async function measure(
  rig: Rig,
  load: Load,
  { target, processes, seconds, warmUpChanges }: Omit<System, "stop"> & BareChainOptions,
): Promise<SingleChanges> {
  await load("rush", { target, count: warmUpChanges, clients: warmUpClients });
  await calmDown(rig.stack);
  const count = quietPerSecond * seconds;
  const stopCounting = countCpu(processes);
  await load("pace", { target, count, perSecond: quietPerSecond });
  const cpu = stopCounting();
  const single = await load("oneByOne", { target, count: changesOneByOne, pauseMs });
  return {
    cpuUsPerChange: perDelivery(cpu.ms, count),
    answerMs: percentilesOf(single.answerMs),
    arrivalMs: percentilesOf(single.arrivalMs),
    otherCores: cpu.otherCores,
  };
}

function cpuOf({ cpuUsPerChange }: SingleChanges): number {
  return sumOf(cpuUsPerChange, systemProcesses);
}

function ratiosOf(all: readonly { platform: SingleChanges; chain: SingleChanges }[]) {
  return {
    cpu: median(all.map(({ platform, chain }) => cpuOf(platform) / cpuOf(chain))),
    arrival: median(all.map(({ platform, chain }) => platform.arrivalMs.p50 / chain.arrivalMs.p50)),
  };
}

export async function bareChain(rig: Rig, options: BareChainOptions): Promise<BareChainResult> {
  const file = "bench/processes/patch-load.ts";
  const child = rig.stack.children.startNode({ name: "patch-load", file, hasChannel: true });
  const load = remoteOf<PatchLoadCommands>(child);
  const receiverUrl = `http://127.0.0.1:${await load("listen")}`;
  const all: { platform: SingleChanges; chain: SingleChanges }[] = [];
  let prepared: Prepared | undefined;
  for (let round = 1; round <= options.rounds; round += 1) {
    const own = await startPlatform(rig, { ...options, receiverUrl, prepared });
    ({ prepared } = own);
    const platform = await measure(rig, load, { ...options, ...own });
    if (round === options.rounds) {
      await prepared.remove(own.url);
    }
    await own.stop();
    const bare = await startChain(rig, receiverUrl);
    all.push({ platform, chain: await measure(rig, load, { ...options, ...bare }) });
    await bare.stop();
  }
  await child.stop();
  return { rounds: options.rounds, ratios: ratiosOf(all), ...medianOfAll(all) };
}
