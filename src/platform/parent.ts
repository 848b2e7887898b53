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

/** Calls `onEnd` when the parent is gone, also where it was before. Gives back how to stop. */
export function listenForParentsEnd(source: ParentSource, onEnd: () => void): () => void {
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
