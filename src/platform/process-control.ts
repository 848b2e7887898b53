/** The part of `process` that hands out signals; a test gives an emitter of its own. */
export type SignalSource = {
  on(event: StopSignal, listener: () => void): unknown;
  off(event: StopSignal, listener: () => void): unknown;
};

export type StopSignal = "SIGTERM" | "SIGINT" | "SIGHUP";

export type StopHandlers = { onStop(signal: StopSignal): void; onAgain(signal: StopSignal): void };

/**
 * The process that started this one with an IPC channel, as our runner of the Procfile does. The
 * operating system closes the channel when the parent dies, `kill -9` and the OOM killer included.
 */

/** The part of `process` that speaks with the parent. Without a channel there is no `send`. */
export type ParentSource = {
  on(event: "disconnect", listener: () => void): unknown;
  off(event: "disconnect", listener: () => void): unknown;
  readonly connected?: boolean;
  send?(message: unknown, handle: undefined, options: object, done: () => void): unknown;
};

/** What a process sends its parent as soon as it can be used. */
const readyMessage = { type: "ready" } as const;

/** What a shell reports of a program that the signal ended. */
export function exitCodeOf(signal: StopSignal): number {
  return { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal];
}

const stopSignals: readonly StopSignal[] = ["SIGTERM", "SIGINT", "SIGHUP"];

/**
 * npm and supervisors pass a signal on that the terminal already sent to the whole process group,
 * so one Ctrl-C may arrive twice. No hand presses it again that fast.
 */
const sameSignalMs = 300;

/**
 * Calls `onStop` at the first signal that asks to stop and `onAgain` at every later one. Gives
 * back how to stop listening. SIGHUP counts: a closed terminal would otherwise kill us half-way.
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

/** Calls `onEnd` when the parent is gone, also where it was before. Gives back how to stop. */
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

/** Tells the parent, where one listens. That it is gone is noticed elsewhere. */
export function announceReady(source: ParentSource): void {
  if (source.connected === true) {
    source.send?.(readyMessage, undefined, {}, () => undefined);
  }
}
