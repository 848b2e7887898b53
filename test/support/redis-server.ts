import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { afterOurDeath } from "./reaper.ts";

export type RedisServer = {
  readonly url: string;
  readonly port: number;
  /** `kill -9`. Whatever it held is gone: it keeps nothing on disk. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
  /** SIGSTOP and SIGCONT: a server that hangs but whose port is still open. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
};

function launch(port: number, dir: string): ChildProcess {
  return spawn(
    "redis-server",
    [
      ...["--port", String(port), "--bind", "127.0.0.1", "--dir", dir],
      ...["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"],
      ...["--daemonize", "no", "--loglevel", "warning", "--databases", "16"],
    ],
    { stdio: "ignore" },
  );
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, enableReadyCheck: true });
  client.on("error", () => undefined);
  try {
    await eventually(
      async () => {
        if (child.exitCode !== null || child.signalCode !== null) {
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
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error("redis-server ended before it was ready");
  }
}

const killAndRemove = 'kill -KILL "$1" 2>/dev/null; rm -rf -- "$2"';

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
}

/** The server and the port it got; another port is tried where somebody was faster. */
async function launchSomewhere(dir: string): Promise<{ child: ChildProcess; port: number }> {
  for (let i = 0; ; i += 1) {
    const port = await freePort();
    const child = launch(port, dir);
    try {
      await Promise.race([
        once(child, "spawn"),
        once(child, "error").then(([e]) => Promise.reject(e as Error)),
      ]);
      await waitUntilReady(`redis://127.0.0.1:${port}`, child);
      return { child, port };
    } catch (error) {
      await end(child, "SIGKILL");
      if (i === 4) {
        throw error;
      }
    }
  }
}

/** A Redis of the test's own, on loopback and a free port, without any persistence. */
export async function startRedisServer(): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), "sightline-redis-"));
  const first = await launchSomewhere(dir);
  const { port } = first;
  const url = `redis://127.0.0.1:${port}`;
  let child = first.child;
  let reaper = afterOurDeath(killAndRemove, String(child.pid), dir);
  return {
    url,
    port,
    kill: async () => end(child, "SIGKILL"),
    restart: async () => {
      await end(child, "SIGKILL");
      reaper.dismiss();
      child = launch(port, dir);
      reaper = afterOurDeath(killAndRemove, String(child.pid), dir);
      await waitUntilReady(url, child);
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    stop: async () => {
      child.kill("SIGCONT");
      await end(child, "SIGTERM");
      reaper.dismiss();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
