/**
 * The cost of the live view during deliveries, with a long log and a long backlog (`--only=live`):
 * CPU of the web process and its Postgres backends, and the main thread of the page in a real
 * Chromium.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { createPasswords } from "../../src/accounts/credentials.ts";
import { hashToken } from "../../src/accounts/identities.ts";
import { buildPages } from "../../src/pages/built-pages.ts";
import { tallyAttempts } from "../../src/pipeline/schedule/tallies.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { openPool, rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import { meterBackends } from "../support/backend-usage.ts";
import {
  addBacklog,
  continueAfter,
  manyDeliveries,
  type ManyDeliveries,
} from "../support/many-deliveries.ts";
import { startRole, type Login, type Stack } from "../support/stack.ts";
import { startTraffic } from "../support/traffic.ts";
import { cpuMs } from "../support/usage.ts";
import { livePage, type LivePage } from "./live-page.ts";

export type LivePhase = {
  viewers: number;
  settledPerSecond: number;
  messagesPerSecond: number;
  /** CPU in percent of one core. */
  webPercent: number;
  postgresPercent: number;
};

export type LiveResult = {
  deliveries: number;
  open: number;
  phases: LivePhase[];
  page: LivePage;
  /** CPU of the tally pass at this rate, in percent of a core. */
  tallies: { perSecond: number; schedulePercent: number; postgresPercent: number };
};

export type LiveOptions = {
  deliveries: number;
  open: number;
  perSecond: number;
  seconds: number;
  print: (text: string) => void;
};

const pageLogin: Login = { login: "viewer@bench.example", password: "Bench-viewer-4711" };

async function addToken(db: Db, enterpriseId: number): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const password = await createPasswords().hash(pageLogin.password);
  await rowsOf(
    db,
    `WITH made AS (
       INSERT INTO users (enterprise_id, login, password_hash, role)
       VALUES (?, ?, ?, 'admin') RETURNING id, enterprise_id
     )
     INSERT INTO tokens (hash, enterprise_id, user_id, kind, family, expires_at)
     SELECT ?, enterprise_id, id, 'access', ?, now() + interval '1 day' FROM made`,
    [enterpriseId, pageLogin.login, password, hashToken(token), randomUUID()],
  );
  return token;
}

type Viewer = { messages(): number; close(): Promise<void> };

async function watch(url: string, token: string): Promise<Viewer> {
  const controller = new AbortController();
  const response = await fetch(`${url}/api/webhooks/live`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    signal: controller.signal,
  });
  if (!response.ok || response.body === null) {
    throw new Error(`The live view answered ${response.status}`);
  }
  let messages = 0;
  const decoder = new TextDecoder();
  const { body } = response;
  const reading = (async () => {
    for await (const chunk of body) {
      messages +=
        decoder.decode(chunk as Uint8Array, { stream: true }).split("\nevent: ").length - 1;
    }
  })().catch(() => undefined);
  return {
    messages: () => messages,
    close: async () => {
      controller.abort();
      await reading;
    },
  };
}

/** The process ids of a pool's backends, by the name of the pool. */
async function backendsOf(db: Db, name: string): Promise<number[]> {
  return (
    await rowsOf<{ pid: number }>(
      db,
      "SELECT pid FROM pg_stat_activity WHERE application_name = ?",
      [`sightline ${name}`],
    )
  ).map(({ pid }) => pid);
}

async function measurePhase(
  { db }: Stack,
  web: { pid: number; url: string; token: string },
  { viewers, seconds, settled }: { viewers: number; seconds: number; settled: () => number },
): Promise<LivePhase> {
  const watching: Viewer[] = [];
  for (let n = 0; n < viewers; n += 1) {
    watching.push(await watch(web.url, web.token));
  }
  await sleep(2_000);
  const backends = await meterBackends(() => backendsOf(db, "pool"));
  const before = { ms: cpuMs(web.pid, false), settled: settled(), at: performance.now() };
  const messages = () => watching.reduce((sum, viewer) => sum + viewer.messages(), 0);
  const messagesBefore = messages();
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1_000);
    await backends.sample();
  }
  const tookMs = performance.now() - before.at;
  const phase = {
    viewers,
    settledPerSecond: ((settled() - before.settled) * 1_000) / tookMs,
    messagesPerSecond: ((messages() - messagesBefore) * 1_000) / tookMs,
    webPercent: ((cpuMs(web.pid, false) - before.ms) * 100) / tookMs,
    postgresPercent: (backends.ms() * 100) / tookMs,
  };
  await Promise.all(watching.map((viewer) => viewer.close()));
  return phase;
}

/** Runs the pass every ten seconds in this process, like the schedule does. */
async function measureTallies(
  stack: Stack,
  { seconds, settled }: { seconds: number; settled: () => number },
): Promise<LiveResult["tallies"]> {
  const db = openPool({ url: stack.databaseUrl, maxConnections: 1, name: "tallies" });
  const deps = { db, clock: systemClock };
  await tallyAttempts(deps);
  const [pid = 0] = await backendsOf(stack.db, "tallies");
  const before = { server: cpuMs(pid, false), settled: settled(), at: performance.now() };
  let ownMs = 0;
  for (let passed = 0; passed < seconds; passed += 10) {
    await sleep(10_000);
    const cpu = process.cpuUsage();
    await tallyAttempts(deps);
    // The traffic runs in this process too, so this includes its CPU.
    const { user, system } = process.cpuUsage(cpu);
    ownMs += (user + system) / 1_000;
  }
  const tookMs = performance.now() - before.at;
  const result = {
    perSecond: ((settled() - before.settled) * 1_000) / tookMs,
    schedulePercent: (ownMs * 100) / tookMs,
    postgresPercent: ((cpuMs(pid, false) - before.server) * 100) / tookMs,
  };
  await db.destroy();
  return result;
}

/** A long log, a long backlog, and a user who may read them. */
async function setUp(
  { db }: Stack,
  { deliveries, open, print }: Pick<LiveOptions, "deliveries" | "open" | "print">,
): Promise<{ many: ManyDeliveries; token: string }> {
  const many = await manyDeliveries(db, {
    ...{ count: deliveries, subscriptions: 10, days: 30 },
    onProgress: (made) => print(`${made.toLocaleString("en-US")} deliveries`),
  });
  await continueAfter(db);
  await addBacklog(db, many.enterpriseId, open);
  await db.raw("VACUUM (ANALYZE) deliveries");
  return { many, token: await addToken(db, many.enterpriseId) };
}

/** Alternates phases with and without a viewer. */
export async function live(stack: Stack, options: LiveOptions): Promise<LiveResult> {
  const { deliveries, open, perSecond, seconds } = options;
  await buildPages();
  const { many, token } = await setUp(stack, options);
  const { child, url } = await startRole(stack, "web", { file: "src/server.ts", queue: "redis" });
  const web = { pid: child.pid, url, token };
  const traffic = startTraffic(stack.db, { ...many, perSecond });
  const phases: LivePhase[] = [];
  await sleep(3_000);
  for (const viewers of [0, 1, 4]) {
    phases.push(await measurePhase(stack, web, { viewers, seconds, settled: traffic.settled }));
  }
  const page = await livePage(
    { url: url.replace("127.0.0.1", "localhost"), login: pageLogin },
    { seconds, settled: traffic.settled },
  );
  const tallies = await measureTallies(stack, { seconds, settled: traffic.settled });
  await traffic.stop();
  await child.stop();
  return { deliveries, open, phases, page, tallies };
}
