/**
 * In: views, once a second. Out: server-sent events.
 * Guarantee: a slow client delays no other and gets nothing stale: what it could not read in time is
 * dropped, and it gets a new snapshot.
 */
import type { Readable } from "node:stream";
import { createPacedStream, type StreamTimes } from "../pull/stream.ts";

/** A message, and whether it needs none before it. */
export type LiveMessage = { id: number; update: () => string; snapshot: () => string };

export type LiveStreamDeps = {
  /** Calls back with each message, until the returned function is called. */
  listen: (onMessage: (message: LiveMessage) => void) => () => void;
  /** Whether the client's token is still good and still may read. */
  mayRead: () => Promise<boolean>;
  /** Ends the stream. */
  controller: AbortController;
  onGone: () => void;
  times: StreamTimes;
};

/** How long a client waits before it comes back, in milliseconds. */
const reconnectMs = 2_000;

export function createLiveStream(deps: LiveStreamDeps): Readable {
  const { controller, times } = deps;
  const { signal } = controller;
  const slot = createLatestMessageSlot();
  signal.addEventListener("abort", slot.ring);
  const ignore = deps.listen(slot.put);
  const timer = setTimeout(() => controller.abort(), times.mostMs);
  const outlet = createPacedStream(signal, () => {
    clearTimeout(timer);
    ignore();
    controller.abort();
    deps.onGone();
  });
  const run = async (): Promise<void> => {
    let checkAtMs = performance.now() + times.checkMs;
    await outlet.write(`retry: ${reconnectMs}\n\n`);
    while (!signal.aborted) {
      if (performance.now() >= checkAtMs) {
        checkAtMs = performance.now() + times.checkMs;
        if (!(await deps.mayRead())) {
          break;
        }
      }
      await slot.wait(Math.min(times.heartbeatMs, times.checkMs));
      if (!signal.aborted) {
        await outlet.write(slot.take() ?? ": still here\n\n");
      }
    }
  };
  // Where the question fails the client comes back, and gets everything anew.
  void run()
    .catch(() => undefined)
    .finally(() => outlet.end());
  return outlet.stream;
}

/** Holds the newest message; after an older one was dropped, the next must be a snapshot. */
function createLatestMessageSlot() {
  let latest: LiveMessage | undefined;
  let isWhole = true;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    ring,
    put: (message: LiveMessage): void => {
      isWhole ||= latest !== undefined;
      latest = message;
      ring();
    },
    take: (): string | undefined => {
      const message = latest;
      latest = undefined;
      if (message === undefined) {
        return undefined;
      }
      const text = isWhole
        ? toText("snapshot", message.id, message.snapshot())
        : toText("beat", message.id, message.update());
      isWhole = false;
      return text;
    },
    wait: (mostMs: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(ring, mostMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (latest !== undefined) {
          ring();
        }
      }),
  };
}

function toText(event: string, id: number, data: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}
