/** The child processes of a bench. Each is stopped at the end; an unexpected exit fails the run. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listPrograms } from "../../build/programs.ts";
import { readEnvironment } from "../../src/config/environment.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import type { Guardian } from "./guardian.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export type Child = {
  readonly name: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** Sends a stop signal, then kills the child after a time-out. Idempotent. */
  stop(): Promise<void>;
  /** Like a crash: `kill -9`. */
  kill(): Promise<void>;
};

export type StartOptions = {
  name: string;
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
  /** Opens an IPC channel for commands (see `commands.ts`). */
  hasChannel?: boolean;
};

export type Children = {
  start(options: StartOptions): Child;
  /** Runs a TypeScript file of this repository. `flags` are passed to Node. */
  startNode(
    options: Omit<StartOptions, "command" | "args"> & {
      file: string;
      args?: readonly string[];
      flags?: readonly string[];
    },
  ): Child;
  /** Rejects as soon as a child exits unexpectedly. Never resolves. */
  readonly failure: Promise<never>;
  /** Waits for a child to exit; rejects unless its exit code is 0. */
  endOf(child: Child): Promise<void>;
  stopAll(): Promise<void>;
};

const graceMs = 10_000;

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) {
    return;
  }
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await exited;
  clearTimeout(timer);
}

function tailOf(path: string): string {
  return readFileSync(path, "utf8").trimEnd().split("\n").slice(-8).join("\n");
}

export function createChildren(dir: string, guardian: Guardian): Children {
  const living = new Set<Child>();
  const stopping = new WeakSet<ChildProcess>();
  const expected = new WeakSet<ChildProcess>();
  let fail: (error: Error) => void = () => undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failure.catch(() => undefined);

  const start: Children["start"] = ({ name, command, args, env = {}, hasChannel = false }) => {
    const logFile = join(dir, `${name}-${Date.now()}.log`);
    const log = openSync(logFile, "a");
    const child = spawn(command, args, {
      cwd: root,
      env: { PATH: readEnvironment()["PATH"], NODE_ENV: "production", ...env },
      stdio: hasChannel ? ["ignore", log, log, "ipc"] : ["ignore", log, log],
      serialization: "advanced",
    });
    closeSync(log);
    const pid = child.pid ?? 0;
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      guardian.forget(pid);
      const hasFailed = code !== 0 || !expected.has(child);
      if (!stopping.has(child) && hasFailed) {
        fail(new Error(`${name} ended by itself (${signal ?? code}):\n${tailOf(logFile)}`));
      }
    });
    guardian.watch(pid);
    const started: Child = {
      name,
      pid,
      process: child,
      stop: async () => {
        stopping.add(child);
        await stopProcess(child);
        living.delete(started);
      },
      kill: async () => {
        stopping.add(child);
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
        living.delete(started);
      },
    };
    living.add(started);
    return started;
  };

  return {
    start,
    startNode: ({ file, args = [], flags = [], ...options }) =>
      start({
        ...options,
        command: process.execPath,
        args: [...flags, ...programOf(file, flags), ...args],
      }),
    failure,
    endOf: async (child) => {
      expected.add(child.process);
      if (!hasEnded(child.process)) {
        await Promise.race([once(child.process, "exit"), failure]);
      }
      living.delete(child);
    },
    stopAll: async () => {
      await Promise.all([...living].toReversed().map((child) => child.stop()));
    },
  };
}

const programs = new Map(Object.entries(await listPrograms()).map(([name, file]) => [file, name]));

/**
 * Runs the built program, except for profiles, which need source files and packages to be separate.
 */
function programOf(file: string, flags: readonly string[]): string[] {
  const name = flags.includes("--cpu-prof") ? undefined : programs.get(file);
  return name === undefined
    ? ["--import", "tsx", join(root, file)]
    : [join(root, "bin/program.js"), name];
}

/** Waits until a URL answers 200. */
export async function waitUntilReady(url: string, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) {
      return;
    }
    if (performance.now() > deadline) {
      throw new Error(`${url} is not ready after ${timeoutMs} ms`);
    }
    await sleep(50);
  }
}
