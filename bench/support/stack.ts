/**
 * The environment of a bench, in a temporary folder: a durable Postgres, a Redis, the schema, and
 * the processes of the Procfile.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPool, type Db } from "../../src/platform/db/pool.ts";
import { startEmbeddedPostgres } from "../../src/embedded/postgres/embedded-postgres.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { findFreePort } from "../../src/embedded/supervisor/formation.ts";
import type { QueueBackend } from "../../src/platform/queue/job-queue.ts";
import { openRedis } from "../../src/platform/queue/redis.ts";
import { sleep, withTimeout } from "../../src/platform/concurrency/async.ts";
import { createChildren, waitUntilReady, type Child, type Children } from "./children.ts";
import { startGuardian } from "./guardian.ts";

export type QueueKind = "redis" | "postgres";
type Environment = Record<string, string>;

export type Stack = {
  readonly children: Children;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly postgresPid: number;
  readonly redisPid: number;
  readonly redisBackend: QueueBackend;
  readonly secretKey: Buffer;
  /** The configuration of the processes, without metrics and web ports. */
  environment(queue: QueueKind): Environment;
  stop(): Promise<void>;
};

const host = "127.0.0.1";

export type Login = { login: string; password: string };

/** Logins of the first enterprise; the API load uses the second. */
export const agent: Login = { login: "agent@bench.example", password: "Bench-agent-4711" };
export const admin: Login = { login: "admin@bench.example", password: "Bench-admin-4711" };

async function startRedis(children: Children, dir: string): Promise<{ url: string; pid: number }> {
  const port = await findFreePort(host);
  const child = children.start({
    name: "redis",
    command: "redis-server",
    args: [
      ...["--port", String(port), "--bind", host, "--dir", dir],
      ...["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"],
    ],
  });
  const url = `redis://${host}:${port}`;
  const client = openRedis({ kind: "redis", url });
  client.on("error", () => undefined);
  try {
    await withTimeout(
      new Promise<void>((resolve) => client.once("ready", () => resolve())),
      10_000,
      "redis-server did not start",
    );
  } finally {
    client.disconnect();
  }
  return { url, pid: child.pid };
}

async function runRelease(children: Children, env: Environment): Promise<void> {
  const child = children.startNode({ name: "release", file: "src/migrate.ts", args: ["up"], env });
  await children.endOf(child);
}

const queuePrefix = "bench";

/** `settings` are added to the platform's Postgres settings. */
export async function startStack(settings: Record<string, string> = {}): Promise<Stack> {
  const dir = await mkdtemp(join(tmpdir(), "sightline-bench-"));
  await chmod(dir, 0o755); // Postgres may have to run as a different user.
  const guardian = startGuardian(dir);
  const children = createChildren(dir, guardian);
  const stoppers = [
    async () => {
      guardian.dismiss();
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
    () => children.stopAll(),
  ];
  const stop = async (): Promise<void> => {
    for (let next = stoppers.pop(); next !== undefined; next = stoppers.pop()) {
      await next().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    }
  };
  try {
    const log = createLogger("error", "bench");
    const postgres = await startEmbeddedPostgres({ dataDir: join(dir, "data"), log, settings });
    guardian.watch(postgres.pid);
    stoppers.splice(1, 0, () => postgres.stop());
    const redis = await startRedis(children, dir);
    const db = openPool({
      url: postgres.url,
      maxConnections: 4,
      name: "bench",
      statementTimeoutMs: 0,
    });
    stoppers.push(() => db.destroy());
    const secretKey = randomBytes(32);
    const environment = (queue: QueueKind): Environment => ({
      DATABASE_URL: postgres.url,
      SECRET_KEY: secretKey.toString("base64"),
      HOST: host,
      QUEUE_PREFIX: queuePrefix,
      ALLOW_LOCAL_RECEIVERS: "1",
      ADMIN_LOGIN: admin.login,
      ADMIN_PASSWORD: admin.password,
      AGENT_LOGIN: agent.login,
      AGENT_PASSWORD: agent.password,
      RATE_LIMIT_API: "100000000",
      SHUTDOWN_DRAIN_SECONDS: "0",
      ...(queue === "redis" ? { REDIS_URL: redis.url } : {}),
    });
    await runRelease(children, environment("redis"));
    await runRelease(children, environment("postgres"));
    return {
      children,
      db,
      databaseUrl: postgres.url,
      postgresPid: postgres.pid,
      redisPid: redis.pid,
      redisBackend: { kind: "redis", url: redis.url, namespace: queuePrefix },
      secretKey,
      environment,
      stop,
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

export type Roles = { readonly relay: Child; readonly schedule: Child; readonly delivery: Child };

export type RoleOptions = {
  queue: QueueKind;
  /** Node flags of the delivery process. */
  deliveryFlags?: readonly string[];
};

/** Starts one process of a role and waits until it is ready. */
export async function startRole(
  stack: Stack,
  role: string,
  {
    file,
    queue,
    flags = [],
    env = {},
    port,
  }: {
    file: string;
    queue: QueueKind;
    flags?: readonly string[];
    env?: Record<string, string>;
    /** By default, a free port. */
    port?: string | undefined;
  },
): Promise<{ child: Child; url: string }> {
  const ownPort = port ?? String(await findFreePort(host));
  const child = stack.children.startNode({
    name: role,
    file,
    flags,
    env: { ...stack.environment(queue), METRICS_PORT: ownPort, PORT: ownPort, ...env },
  });
  const url = `http://${host}:${ownPort}`;
  await Promise.race([waitUntilReady(`${url}/readyz`), stack.children.failure]);
  return { child, url };
}

export async function startRoles(stack: Stack, options: RoleOptions): Promise<Roles> {
  const { queue, deliveryFlags = [] } = options;
  const [relay, schedule, delivery] = await Promise.all([
    startRole(stack, "relay", { file: "workers/relay.ts", queue }),
    startRole(stack, "schedule", { file: "workers/schedule.ts", queue }),
    startRole(stack, "delivery", { file: "workers/delivery.ts", queue, flags: deliveryFlags }),
  ]);
  return { relay: relay.child, schedule: schedule.child, delivery: delivery.child };
}

export async function stopRoles(roles: Roles): Promise<void> {
  await roles.relay.stop();
  await roles.schedule.stop();
  await roles.delivery.stop();
}

/** Runs VACUUM and CHECKPOINT: removes dead rows and dirty pages of the last scenario. */
export async function calmDown({ db }: Stack): Promise<void> {
  await db.raw("VACUUM ANALYZE");
  await db.raw("CHECKPOINT");
  await sleep(500);
}

/** `used_memory` of Redis, in MB. */
export async function redisMemoryMb(stack: Stack): Promise<number> {
  const url = stack.environment("redis")["REDIS_URL"] ?? "";
  const redis = openRedis({ kind: "redis", url });
  try {
    await once(redis, "ready");
    const info = await redis.info("memory");
    return Number(/used_memory:(\d+)/u.exec(info)?.[1]) / 1_048_576;
  } finally {
    redis.disconnect();
  }
}
