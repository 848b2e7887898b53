import { channel } from "node:diagnostics_channel";
import type { FaultPoint } from "../contracts/fault-points.ts";

/** The signal events of `process`; tests pass their own emitter. */
export type SignalSource = {
  on(event: StopSignal, listener: () => void): unknown;
  off(event: StopSignal, listener: () => void): unknown;
};

export type StopSignal = "SIGTERM" | "SIGINT" | "SIGHUP";

export type StopHandlers = { onStop(signal: StopSignal): void; onAgain(signal: StopSignal): void };

/**
 * The IPC part of `process`: the channel to the process that started this one, as the Procfile
 * runner does. The operating system closes it when the parent dies, even after `kill -9` or the OOM
 * killer. Without a channel `send` is undefined.
 */
export type ParentSource = {
  on(event: "disconnect", listener: () => void): unknown;
  off(event: "disconnect", listener: () => void): unknown;
  readonly connected?: boolean;
  send?(message: unknown, handle: undefined, options: object, done: () => void): unknown;
};

/** The message to the parent when the process is ready. */
const readyMessage = { type: "ready" } as const;

/** The exit code that shells report for a program killed by this signal. */
export function exitCodeOf(signal: StopSignal): number {
  return { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal];
}

const stopSignals: readonly StopSignal[] = ["SIGTERM", "SIGINT", "SIGHUP"];

/**
 * npm and supervisors forward a signal that the terminal already sent to the process group, so one
 * Ctrl-C may arrive twice. A second key press takes longer than this.
 */
const sameSignalMs = 300;

/**
 * Calls `onStop` at the first stop signal and `onAgain` at every later one. Returns the function
 * that removes the listeners. SIGHUP counts too: a closed terminal would otherwise kill the process
 * without cleanup.
 */
export function listenForStop(
  source: SignalSource,
  { onStop, onAgain }: StopHandlers,
  nowMs: () => number = () => performance.now(),
): () => void {
  let firstAt: number | undefined;
  const listeners = stopSignals.map((signal) => ({
    signal,
    listener: (): void => {
      const at = nowMs();
      if (firstAt === undefined) {
        firstAt = at;
        onStop(signal);
      } else if (at - firstAt > sameSignalMs) {
        onAgain(signal);
      }
    },
  }));
  listeners.forEach(({ signal, listener }) => source.on(signal, listener));
  return () => listeners.forEach(({ signal, listener }) => source.off(signal, listener));
}

/**
 * Calls `onEnd` when the parent has died, even before this call. Returns the function that stops
 * watching.
 */
export function onParentExit(source: ParentSource, onEnd: () => void): () => void {
  source.on("disconnect", onEnd);
  if (source.send !== undefined && source.connected === false) {
    onEnd();
  }
  return () => source.off("disconnect", onEnd);
}

export function isReadyMessage(message: unknown): boolean {
  return (message as { type?: unknown } | null)?.type === readyMessage.type;
}

/** For `bin/run-program.js`: V8 has compiled what a start needs. */
const readyChannel = channel("sightline.ready");

/**
 * Says in this process that it is ready, and sends a message to the parent, if there is one. Its death
 * is detected elsewhere.
 */
export function announceReady(source: ParentSource): void {
  readyChannel.publish({});
  if (source.connected === true) {
    source.send?.(readyMessage, undefined, {}, () => undefined);
  }
}

/** Kills this process, without cleanup, the first time it passes `faultAt`. */
export function createFaultPoint(faultAt: string | undefined): FaultPoint {
  return (name) => {
    if (name === faultAt) {
      process.kill(process.pid, "SIGKILL");
    }
  };
}
