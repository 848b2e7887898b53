/**
 * The lifecycle of a process: start, run until a stop or a fatal error, stop the work, close the
 * resources in reverse order, exit.
 *
 * Exit codes: 0 stopped on request and everything closed · 1 start failed, fatal error, or
 * something did not close · 2 invalid configuration · 128 + n after a second signal, or after the
 * first one for a finite job that did not finish.
 *
 * If a parent process started it with an IPC channel, the parent is watched: when it dies, this
 * process stops as on request, without draining.
 */
import { describeError, toError } from "./errors.ts";
import { endProcess, printTo } from "./log-output.ts";
import { createLogger, type Logger } from "./logger.ts";
import {
  announceReady,
  onParentExit,
  type ParentSource,
  exitCodeOf,
  listenForStop,
  type SignalSource,
  type StopSignal,
} from "./process-control.ts";
import { withTimeout } from "./concurrency/async.ts";

/** Stops a part. It has `leftMs` for a clean end, and is abandoned a little later. */
export type StopPart = (leftMs: number) => Promise<void>;

export type Lifecycle = {
  /**
   * Registers a cleanup right after its resource was opened. Runs in reverse order. What accepts or
   * does `work` needs the resources to finish: it stops before them, all of it at the same time, so
   * that each part has the whole grace period.
   */
  onStop(name: string, stop: StopPart, kind?: "work"): void;
  /**
   * Runs before the cleanups if SIGTERM requested the stop after a completed start. Its signal
   * aborts when there is no time to drain: a fatal error, or a dead parent.
   */
  onDrain(drain: (signal: AbortSignal) => Promise<void>): void;
  /** Aborts when a stop is requested, before draining. */
  readonly stopRequested: AbortSignal;
  /** Aborts when the cleanups start, even during the start. */
  readonly signal: AbortSignal;
  /** Reports a fatal error of a part: everything is closed and the process exits with 1. */
  fail(thrown: unknown): void;
  /** Called as soon as the configuration is read. Until then: level info, grace period 10 s. */
  configure(options: { log: Logger; graceMs: number }): void;
};

type FaultEvent = "uncaughtException" | "unhandledRejection";

/** The part of `process` that the lifecycle needs. */
export type ProcessLike = SignalSource &
  ParentSource & {
    on(event: FaultEvent, listener: (thrown: unknown) => void): unknown;
    off(event: FaultEvent, listener: (thrown: unknown) => void): unknown;
  };

export type LifecycleDeps = {
  process: ProcessLike;
  exit: (code: number) => void;
  /** Messages for a person at the terminal. */
  printError: (line: string) => void;
  createLog: (role: string) => Logger;
  nowMs: () => number;
};

const systemDeps: LifecycleDeps = {
  process,
  exit: (code) => void endProcess(code),
  printError: (line) => printTo(2, `${line}\n`),
  createLog: (role) => createLogger("info", role),
  nowMs: () => performance.now(),
};

type ProcessEnd =
  | { kind: "done" }
  | { kind: "signal"; signal: StopSignal }
  | { kind: "orphaned" }
  | { kind: "startFailed"; error: Error }
  | { kind: "cannotGoOn"; error: Error };

/** A service ends with 0 after a signal; a finite job that was interrupted reports the signal. */
type ProcessLife = { role: string; isService: boolean };

type Part = { name: string; stop: StopPart };

/** In the order of their start. */
type Parts = { work: Part[]; resources: Part[] };

/**
 * Runs a process until it is asked to stop. `start` opens resources and registers each with
 * `onStop`; it resolves when the process is ready. The returned promise resolves, after `exit`,
 * when everything is closed.
 */
export async function runUntilSignal(
  role: string,
  start: (lifecycle: Lifecycle) => Promise<void>,
  deps: LifecycleDeps = systemDeps,
): Promise<void> {
  const startAndRun = async (lifecycle: Lifecycle): Promise<undefined> => {
    await start(lifecycle);
    announceReady(deps.process);
    return undefined;
  };
  await runLife({ role, isService: true }, startAndRun, deps);
}

/** The same for a finite job: closes and exits when `work` is done. */
export async function runToEnd(
  role: string,
  work: (lifecycle: Lifecycle) => Promise<void>,
  deps: LifecycleDeps = systemDeps,
): Promise<void> {
  const workToEnd = async (lifecycle: Lifecycle): Promise<ProcessEnd> => {
    await work(lifecycle);
    return { kind: "done" };
  };
  await runLife({ role, isService: false }, workToEnd, deps);
}

type Drain = Parameters<Lifecycle["onDrain"]>[0];

async function runLife(
  life: ProcessLife,
  start: (lifecycle: Lifecycle) => Promise<ProcessEnd | undefined>,
  deps: LifecycleDeps,
): Promise<void> {
  let log: Logger | undefined;
  let graceMs = 10_000;
  const getLog = (): Logger => (log ??= deps.createLog(life.role));
  const parts: Parts = { work: [], resources: [] };
  const drains: Drain[] = [];
  const stopping = new AbortController();
  const ending = listenForEnd(deps, getLog);

  const lifecycle: Lifecycle = {
    onStop: (name, stop, kind) =>
      void (kind === "work" ? parts.work : parts.resources).push({ name, stop }),
    onDrain: (drain) => void drains.push(drain),
    stopRequested: ending.stopRequested,
    signal: stopping.signal,
    fail: ending.fail,
    configure: (options) => {
      ({ log, graceMs } = options);
    },
  };
  const starting = (async () => start(lifecycle))().then(
    (end) => end !== undefined && ending.end(end),
    (thrown: unknown) => ending.end({ kind: "startFailed", error: toError(thrown) }),
  );

  const how = await ending.ended;
  const code = report(life, how, getLog(), deps);
  if (how.kind === "signal" && how.signal === "SIGTERM") {
    await Promise.all(drains.map(async (drain) => drain(ending.drainSignal)));
  }
  const deadline = deps.nowMs() + graceMs;
  const timeLeftMs = (): number => deadline - deps.nowMs();
  stopping.abort();
  // A running start may still open resources, which must be closed as well.
  await withTimeout(starting, timeLeftMs() / 2, "").catch(() => undefined);
  const isClean = await stopAll(parts, getLog(), timeLeftMs);
  getLog().info({ isClean }, "process.stopped");
  ending.close();
  deps.exit(code === 0 && (!isClean || ending.hasFault()) ? 1 : code);
}

/** A promise for the first event that ends the process. */
function listenForEnd(deps: LifecycleDeps, log: () => Logger) {
  let resolveEnded: ((end: ProcessEnd) => void) | undefined;
  const ended = new Promise<ProcessEnd>((resolve) => {
    resolveEnded = resolve;
  });
  const stopRequested = new AbortController();
  const drainAbort = new AbortController();
  let hasFault = false;
  // Keeps the process alive: without it Node would exit when nothing is pending.
  const keepAlive = setInterval(() => undefined, 2 ** 30);

  /** The first event decides; any later one leaves no time to drain. */
  const end = (how: ProcessEnd): void => {
    if (stopRequested.signal.aborted) {
      drainAbort.abort();
    }
    stopRequested.abort();
    resolveEnded?.(how);
  };
  const fail = (thrown: unknown): void => {
    const error = toError(thrown);
    hasFault = true;
    if (stopRequested.signal.aborted) {
      log().error({ err: error }, "process.fault_while_stopping");
    }
    end({ kind: "cannotGoOn", error });
  };
  const stopListening = listenForStop(
    deps.process,
    {
      onStop: (signal) => end({ kind: "signal", signal }),
      onAgain: (signal) => {
        clearInterval(keepAlive);
        deps.exit(exitCodeOf(signal));
      },
    },
    deps.nowMs,
  );
  const stopWatching = onParentExit(deps.process, () => end({ kind: "orphaned" }));
  deps.process.on("uncaughtException", fail);
  deps.process.on("unhandledRejection", fail);
  return {
    ended,
    end,
    fail,
    hasFault: () => hasFault,
    stopRequested: stopRequested.signal,
    drainSignal: drainAbort.signal,
    close: () => {
      clearInterval(keepAlive);
      stopListening();
      stopWatching();
      deps.process.off("uncaughtException", fail);
      deps.process.off("unhandledRejection", fail);
    },
  };
}

function report(life: ProcessLife, end: ProcessEnd, log: Logger, deps: LifecycleDeps): number {
  switch (end.kind) {
    case "done":
      return 0;
    case "signal":
      log.info({ signal: end.signal }, "process.stopping");
      return life.isService ? 0 : exitCodeOf(end.signal);
    case "orphaned":
      log.warn({ reason: "its channel is closed" }, "process.parent_gone");
      return life.isService ? 0 : exitCodeOf("SIGHUP");
    case "startFailed":
      return reportStartFailure(life.role, end.error, log, deps);
    case "cannotGoOn":
      log.fatal({ err: end.error }, "process.cannot_go_on");
      return 1;
  }
}

function reportStartFailure(role: string, error: Error, log: Logger, deps: LifecycleDeps): number {
  const faults = faultsOf(error);
  if (faults !== undefined) {
    log.fatal({ reason: error.message, faults }, "process.start_failed");
    deps.printError(`${error.message}:`);
    faults.forEach((fault) => deps.printError(`  ${fault}`));
    return 2;
  }
  const reason = describeError(error);
  log.fatal({ reason, err: error }, "process.start_failed");
  deps.printError(`sightline ${role} cannot start: ${reason}`);
  return 1;
}

/** Several errors in one, as for the configuration. The platform does not know its class. */
function faultsOf(error: Error): readonly string[] | undefined {
  return "faults" in error && Array.isArray(error.faults) ? error.faults.map(String) : undefined;
}

/** Minimum time for each cleanup after the grace period. */
const leastStopMs = 1_000;

/** Reserved for the part to end by force, so that it is not abandoned in the middle. */
const forceMs = 2_000;

/**
 * Stops all work at once, then runs the cleanups in reverse order, each with a time limit. True if
 * all succeeded.
 */
async function stopAll(
  { work, resources }: Parts,
  log: Logger,
  timeLeftMs: () => number,
): Promise<boolean> {
  let isClean = true;
  const stopPart = async ({ name, stop }: Part): Promise<void> => {
    const timeoutMs = Math.max(timeLeftMs(), leastStopMs);
    const leftMs = timeoutMs - Math.min(forceMs, timeoutMs / 4);
    try {
      await withTimeout(stop(leftMs), timeoutMs, `not closed within ${Math.round(timeoutMs)} ms`);
    } catch (thrown) {
      isClean = false;
      log.error({ part: name, reason: describeError(thrown) }, "process.part_not_closed");
    }
  };
  await Promise.all(work.splice(0).toReversed().map(stopPart));
  // A start that is still running may open more.
  const takeNext = (): Part | undefined => work.pop() ?? resources.pop();
  for (let next = takeNext(); next !== undefined; next = takeNext()) {
    await stopPart(next);
  }
  return isClean;
}
