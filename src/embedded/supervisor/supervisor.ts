/**
 * Runs the processes of a Procfile on one machine: first the release process, then the others, and
 * restarts each one that dies.
 *
 * Exit codes: 0 after a requested stop if every process stopped cleanly · the release process's code
 * if it failed · 2 if a process reports a wrong configuration · else 1.
 */
import { setMaxListeners } from "node:events";
import type { Writable } from "node:stream";
import { sleep } from "../../platform/concurrency/async.ts";
import { startChild, type Child, type Ended } from "./child.ts";
import { releaseType, webType, type Instance } from "./formation.ts";

export type SupervisorDeps = {
  instances: readonly Instance[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  output: Writable;
  /** How long processes may take to stop before they are killed. */
  graceMs: number;
  /** How long a rolling restart waits for a process to be ready. */
  readyWithinMs: number;
  /** Wait between web processes in a rolling restart, for the load balancer to notice each. */
  noticeMs: number;
  /** Exponential backoff of restarts; reset after a process ran for `stableMs`. */
  restart: { firstMs: number; maxMs: number; stableMs: number };
};

export type Supervisor = {
  /** Resolves with the exit code when all processes have ended. */
  run(): Promise<number>;
  /**
   * A rolling restart: runs release, then replaces one process after the other, each once the one
   * before is ready. Ends at the first that does not get ready; the others keep running. The next one
   * then finishes it: release learns when the first of them began.
   */
  restart(): Promise<void>;
  /** Passes the signal on and starts no more processes. */
  stop(signal: NodeJS.Signals): void;
  kill(): void;
};

const configFaultCode = 2;

/** A process that is kept running, over its restarts. */
type Slot = {
  readonly instance: Instance;
  child: Child | undefined;
  /** Set while a rolling restart waits for the next child. */
  onReplaced: ((next: Child) => void) | undefined;
};

type State = SupervisorDeps & {
  children: Set<Child>;
  slots: readonly Slot[];
  stopping: AbortController;
  stopped: Promise<false>;
  labelWidth: number;
  exitCode: number;
  killTimer: NodeJS.Timeout | undefined;
  isRunning: boolean;
  isRestarting: boolean;
  /** What the start or the rolling restart waits for, for a person at the terminal. */
  waitsFor: string;
  hasRestarted: boolean;
  /** Set until all processes have been replaced: before, some may have the previous version. */
  replacementBeganAt: Date | undefined;
};

const runnerLabel = "runner";

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // one listener per process that waits for its restart
  const state = createState(deps, stopping);
  const run = async (): Promise<number> => {
    printLine(
      state,
      runnerLabel,
      `process ${process.pid}: SIGTERM stops, SIGUSR2 does a rolling restart`,
    );
    const failed = await runRelease(state);
    if (failed !== undefined) {
      state.exitCode ||= failed.code ?? 1;
      beginStop(state, "SIGTERM");
    }
    state.isRunning = true;
    await Promise.all(state.slots.map(async (slot) => keepRunning(state, slot)));
    clearTimeout(state.killTimer);
    return state.exitCode;
  };
  const restart = async (): Promise<void> => {
    if (!state.isRunning || state.isRestarting || state.stopping.signal.aborted) {
      const reason = state.stopping.signal.aborted ? "stops" : `waits for ${state.waitsFor}`;
      printLine(state, runnerLabel, `no rolling restart now: the runner ${reason}`);
      return;
    }
    state.isRestarting = true;
    state.hasRestarted = true;
    const began = state.replacementBeganAt;
    const which = began === undefined ? "" : `, to finish that of ${began.toISOString()}`;
    printLine(state, runnerLabel, `rolling restart${which}`);
    state.replacementBeganAt ??= new Date();
    await replaceAll(state);
    state.isRestarting = false;
  };
  return {
    run,
    restart,
    stop: (signal) => beginStop(state, signal),
    kill: () => killAll(state),
  };
}

function createState(deps: SupervisorDeps, stopping: AbortController): State {
  return {
    ...deps,
    children: new Set(),
    slots: deps.instances
      .filter((instance) => !isRelease(instance))
      .map((instance) => ({ instance, child: undefined, onReplaced: undefined })),
    stopping,
    stopped: new Promise((resolve) => {
      stopping.signal.addEventListener("abort", () => resolve(false));
    }),
    labelWidth: Math.max(0, ...deps.instances.map(({ label }) => label.length)),
    exitCode: 0,
    killTimer: undefined,
    isRunning: false,
    isRestarting: false,
    waitsFor: "its start",
    hasRestarted: false,
    replacementBeganAt: undefined,
  };
}

async function keepRunning(state: State, slot: Slot): Promise<void> {
  const { label } = slot.instance;
  const { signal } = state.stopping;
  let waitMs = state.restart.firstMs;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const child = start(state, slot.instance);
    const wasReplaced = slot.onReplaced;
    slot.onReplaced = undefined;
    slot.child = child;
    wasReplaced?.(child);
    const ended = await child.ended;
    slot.child = undefined;
    if (signal.aborted) {
      noteStop(state, label, ended);
    } else if (slot.onReplaced !== undefined) {
      printLine(state, label, `stopped for its restart: ${describeEnd(ended)}`);
    } else if (isFatal(state, ended)) {
      printLine(state, label, "its configuration is wrong; stopping all processes");
      state.exitCode = configFaultCode;
      beginStop(state, "SIGTERM");
    } else {
      const wasStable = performance.now() - startedAt >= state.restart.stableMs;
      waitMs = wasStable ? state.restart.firstMs : waitMs;
      printLine(state, label, `died: ${describeEnd(ended)}; restarting in ${waitMs} ms`);
      await sleep(waitMs, signal);
      waitMs = Math.min(waitMs * 2, state.restart.maxMs);
    }
  }
}

/** Ended by the signal itself is clean too: the process had not installed its handler yet. */
function noteStop(state: State, label: string, ended: Ended): void {
  const isClean = ended.code === 0 || ended.signal === "SIGTERM" || ended.signal === "SIGINT";
  state.exitCode ||= isClean ? 0 : 1;
  printLine(state, label, isClean ? "stopped" : `did not stop cleanly: ${describeEnd(ended)}`);
}

/** A wrong configuration stops everything, unless a rolling restart may have introduced it. */
function isFatal(state: State, { code }: Ended): boolean {
  return code === configFaultCode && !state.hasRestarted;
}

function beginStop(state: State, signal: NodeJS.Signals): void {
  if (state.stopping.signal.aborted) {
    return;
  }
  state.stopping.abort();
  state.children.forEach((child) => child.signal(signal));
  state.killTimer = setTimeout(() => killAll(state), state.graceMs);
}

function killAll(state: State): void {
  state.exitCode ||= 1;
  state.children.forEach((child) => child.kill());
}

async function replaceAll(state: State): Promise<void> {
  if ((await runRelease(state)) !== undefined) {
    printLine(state, runnerLabel, "rolling restart aborted: all processes keep running");
    return;
  }
  for (const slot of state.slots) {
    if (!(await replace(state, slot))) {
      printLine(state, runnerLabel, `rolling restart aborted: ${slot.instance.label} is not ready`);
      return;
    }
    const isLast = slot === state.slots.at(-1);
    if (slot.instance.type === webType && !isLast) {
      state.waitsFor = "the load balancer to notice";
      await sleep(state.noticeMs, state.stopping.signal);
    }
  }
  state.replacementBeganAt = undefined;
  printLine(state, runnerLabel, "rolling restart done");
}

/** Returns how release ended, if it failed. */
async function runRelease(state: State): Promise<Ended | undefined> {
  const isStopping = state.stopping.signal.aborted;
  for (const instance of isStopping ? [] : state.instances.filter(isRelease)) {
    state.waitsFor = `the end of ${instance.label}`;
    const ended = await start(state, instance).ended;
    if (ended.code !== 0) {
      const rest = state.isRunning ? "" : "; nothing else will be started";
      printLine(state, instance.label, `failed: ${describeEnd(ended)}${rest}`);
      return ended;
    }
  }
  return undefined;
}

/** What release held back since the replacement began must stay so. */
function releaseEnv({ env, replacementBeganAt: began }: State): State["env"] {
  return began === undefined ? env : { ...env, REPLACEMENT_BEGAN_AT: began.toISOString() };
}

function isRelease({ type }: Instance): boolean {
  return type === releaseType;
}

function start(state: State, instance: Instance): Child {
  const { cwd, output } = state;
  const env = isRelease(instance) ? releaseEnv(state) : state.env;
  printLine(state, instance.label, `starting: ${instance.command}`);
  const child = startChild(instance, {
    ...{ cwd, env, output },
    linePrefix: prefixOf(state, instance.label),
  });
  state.children.add(child);
  void child.ended.then(() => state.children.delete(child));
  return child;
}

function printLine(state: State, label: string, text: string): void {
  state.output.write(`${prefixOf(state, label)}${text}\n`);
}

function prefixOf(state: State, label: string): string {
  return `${label.padEnd(state.labelWidth)} | `;
}

function describeEnd({ code, signal }: Ended): string {
  return signal === null ? `exit code ${code ?? "unknown"}` : `signal ${signal}`;
}

/** Returns whether the next child became ready. */
async function replace(state: State, slot: Slot): Promise<boolean> {
  state.waitsFor = `${slot.instance.label} to be ready`;
  const next = new Promise<Child>((resolve) => {
    slot.onReplaced = resolve;
  });
  const before = slot.child;
  before?.signal("SIGTERM");
  const killTimer = setTimeout(() => before?.kill(), state.graceMs);
  const isOver = new AbortController();
  try {
    const child = await Promise.race([next, state.stopped]);
    if (child === false) {
      return false;
    }
    return await Promise.race([
      child.ready.then(() => true),
      child.ended.then(() => false),
      sleep(state.readyWithinMs, isOver.signal).then(() => false),
      state.stopped,
    ]);
  } finally {
    clearTimeout(killTimer);
    isOver.abort();
  }
}
