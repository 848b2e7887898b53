import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis, type RedisOptions } from "ioredis";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { afterOurDeath } from "./reaper.ts";

export type RedisServer = {
  readonly url: string;
  readonly port: number;
  /** `kill -9`. All data is lost, because nothing is stored on disk. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
  /** SIGSTOP and SIGCONT: the server hangs while its port remains open. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
};

export type RedisProcess = {
  isRunning(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
};

export type LaunchOptions = {
  port: number;
  dir: string;
  args?: readonly string[];
  /** The URL that clients use, and what else they need. */
  url?: string;
  clients?: Pick<RedisOptions, "tls">;
};

/** Starts a server without persistence and waits until it responds. It ends with this process. */
export async function launchRedis(options: LaunchOptions): Promise<RedisProcess> {
  const { port, dir, args = [], url = `redis://127.0.0.1:${port}`, clients = {} } = options;
  const child = spawn(
    "redis-server",
    [
      ...["--port", String(port), "--bind", "127.0.0.1", "--dir", dir],
      ...["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"],
      ...["--daemonize", "no", "--loglevel", "warning", "--databases", "16"],
      ...args,
    ],
    { stdio: "ignore" },
  );
  await Promise.race([
    once(child, "spawn"),
    once(child, "error").then(([e]) => Promise.reject(e as Error)),
  ]);
  const reaper = afterOurDeath(killAndRemove, String(child.pid), dir);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (isRunning(child)) {
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    }
    reaper.dismiss();
  };
  try {
    await waitUntilReady(url, clients, child);
  } catch (error) {
    await end("SIGKILL");
    throw error;
  }
  return { isRunning: () => isRunning(child), signal: (signal) => void child.kill(signal), end };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function waitUntilReady(
  url: string,
  clients: Pick<RedisOptions, "tls">,
  child: ChildProcess,
): Promise<void> {
  const client = new Redis(url, {
    ...clients,
    ...{ lazyConnect: true, retryStrategy: null, enableReadyCheck: true },
  });
  client.on("error", () => undefined);
  try {
    await eventually(
      async () => {
        if (!isRunning(child)) {
          return "ended";
        }
        if (client.status !== "ready") {
          await client.connect();
        }
        return client.ping();
      },
      { timeoutMs: 10_000 },
    );
  } finally {
    client.disconnect();
  }
  if (!isRunning(child)) {
    throw new Error("redis-server ended before it was ready");
  }
}

const killAndRemove = 'kill -KILL "$1" 2>/dev/null; rm -rf -- "$2"';

/** Starts a server on a free port; tries another port if this one has been taken. */
async function launchSomewhere(dir: string): Promise<{ process: RedisProcess; port: number }> {
  for (let i = 0; ; i += 1) {
    const port = await freePort();
    try {
      return { process: await launchRedis({ port, dir }), port };
    } catch (error) {
      if (i === 4) {
        throw error;
      }
    }
  }
}

/** A separate Redis on loopback and a free port, without persistence. */
export async function startRedisServer(): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), "sightline-redis-"));
  const first = await launchSomewhere(dir);
  const { port } = first;
  let { process } = first;
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill: () => process.end("SIGKILL"),
    restart: async () => {
      await process.end("SIGKILL");
      process = await launchRedis({ port, dir });
    },
    freeze: () => process.signal("SIGSTOP"),
    thaw: () => process.signal("SIGCONT"),
    stop: async () => {
      process.signal("SIGCONT");
      await process.end("SIGTERM");
      await rm(dir, { recursive: true, force: true });
    },
  };
}
