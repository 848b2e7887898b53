/**
 * Runs the processes of a Procfile on one machine: the release process to its end, then the
 * others, each started again when it dies.
 *
 * Exit codes: 0 asked to stop and all of them stopped well · that of the release process where it
 * failed · 2 where a process says that its configuration is wrong · else 1.
 */
import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { pause, withTimeout } from "../wait.ts";
import { releaseType, type Instance } from "./formation.ts";
import { prefixLines } from "./prefix.ts";

export type SupervisorDeps = {
  instances: readonly Instance[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  output: Writable;
  /** How long processes may take to stop before they are killed. */
  graceMs: number;
  /** Pause before a process is started again: doubled each time, back to the first when it ran
   * for `stableMs`. */
  restart: { firstMs: number; maxMs: number; stableMs: number };
};

export type Supervisor = {
  /** Resolves with the exit code when all processes are gone. */
  run(): Promise<number>;
  /** Passes the signal on and starts nothing any more. */
  stop(signal: NodeJS.Signals): void;
  /** Kills what still runs. */
  kill(): void;
};

type Ended = { code: number | null; signal: NodeJS.Signals | null };

const configFaultCode = 2;
const lastOutputMs = 1_000;

/**
 * The shell is needed for assignments before the command (`NAME=value node …`), and must not stay
 * between us and the process: signals would end the shell and leave the process behind.
 */
const shellLine = (command: string): string => {
  const [assignments = ""] = /^(?:[A-Za-z_]\w*=\S*\s+)*/u.exec(command) ?? [];
  return `${assignments}exec ${command.slice(assignments.length)}`;
};

const describeEnd = ({ code, signal }: Ended): string =>
  signal === null ? `exit code ${code ?? "unknown"}` : `signal ${signal}`;

/** What the functions below share: who runs, and whether everything is being stopped. */
type State = SupervisorDeps & {
  children: Set<ChildProcess>;
  stopping: AbortController;
  labelWidth: number;
  exitCode: number;
  killTimer: NodeJS.Timeout | undefined;
};

const prefixOf = (state: State, label: string): string => `${label.padEnd(state.labelWidth)} | `;

const say = (state: State, label: string, text: string): void => {
  state.output.write(`${prefixOf(state, label)}${text}\n`);
};

const killAll = (state: State): void => {
  state.exitCode ||= 1;
  state.children.forEach((child) => child.kill("SIGKILL"));
};

const beginStop = (state: State, signal: NodeJS.Signals): void => {
  if (state.stopping.signal.aborted) {
    return;
  }
  state.stopping.abort();
  state.children.forEach((child) => child.kill(signal));
  state.killTimer = setTimeout(() => killAll(state), state.graceMs);
};

const runOnce = async (state: State, { label, command, env }: Instance): Promise<Ended> => {
  const child = spawn("/bin/sh", ["-c", shellLine(command)], {
    cwd: state.cwd,
    env: { ...state.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  state.children.add(child);
  const outputs = [child.stdout, child.stderr].map(async (stream) => {
    const lines = stream.pipe(prefixLines(prefixOf(state, label)));
    lines.pipe(state.output, { end: false });
    await finished(lines);
  });
  const ended = await new Promise<Ended>((resolve) => {
    child.once("error", () => resolve({ code: 1, signal: null }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  state.children.delete(child);
  // A process of its own that it left behind may keep these open for ever.
  await withTimeout(Promise.all(outputs), lastOutputMs, "").catch(() => undefined);
  return ended;
};

/** One that had not yet learnt to handle the signal is ended by it: that is a good end as well. */
const noteStop = (state: State, label: string, ended: Ended): void => {
  const isGood = ended.code === 0 || ended.signal === "SIGTERM" || ended.signal === "SIGINT";
  state.exitCode ||= isGood ? 0 : 1;
  say(state, label, isGood ? "stopped" : `stopped badly: ${describeEnd(ended)}`);
};

const runRelease = async (state: State, instance: Instance): Promise<void> => {
  say(state, instance.label, `starting: ${instance.command}`);
  const ended = await runOnce(state, instance);
  if (ended.code !== 0) {
    say(state, instance.label, `failed: ${describeEnd(ended)}; nothing else is started`);
    state.exitCode ||= ended.code ?? 1;
    beginStop(state, "SIGTERM");
  }
};

const keepRunning = async (state: State, instance: Instance): Promise<void> => {
  const { label, command } = instance;
  const { signal } = state.stopping;
  let waitMs = state.restart.firstMs;
  while (!signal.aborted) {
    const startedAt = performance.now();
    say(state, label, `starting: ${command}`);
    const ended = await runOnce(state, instance);
    if (signal.aborted) {
      noteStop(state, label, ended);
    } else if (ended.code === configFaultCode) {
      say(state, label, "its configuration is wrong; everything is stopped");
      state.exitCode = configFaultCode;
      beginStop(state, "SIGTERM");
    } else {
      const wasStable = performance.now() - startedAt >= state.restart.stableMs;
      waitMs = wasStable ? state.restart.firstMs : waitMs;
      say(state, label, `died: ${describeEnd(ended)}; starting again in ${waitMs} ms`);
      await pause(waitMs, signal);
      waitMs = Math.min(waitMs * 2, state.restart.maxMs);
    }
  }
};

const isRelease = ({ type }: Instance): boolean => type === releaseType;

export const createSupervisor = (deps: SupervisorDeps): Supervisor => {
  const state: State = {
    ...deps,
    children: new Set(),
    stopping: new AbortController(),
    labelWidth: Math.max(0, ...deps.instances.map(({ label }) => label.length)),
    exitCode: 0,
    killTimer: undefined,
  };
  const run = async (): Promise<number> => {
    for (const instance of deps.instances.filter(isRelease)) {
      await runRelease(state, instance);
    }
    const others = deps.instances.filter((each) => !isRelease(each));
    await Promise.all(others.map(async (each) => keepRunning(state, each)));
    clearTimeout(state.killTimer);
    return state.exitCode;
  };
  return {
    run,
    stop: (signal) => beginStop(state, signal),
    kill: () => killAll(state),
  };
};
