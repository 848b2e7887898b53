/**
 * In: pages of events. Out: server-sent events, at the client's pace.
 * Guarantee: the id of each message is the cursor after it, so a client that reconnects with its
 * last id misses nothing. At most one page and a small buffer are held for a slow client; a page
 * that was read too long ago is read again, because its content may have been removed since.
 */
import { Readable } from "node:stream";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { toCursor, presentEvent, type PulledPage } from "./present.ts";
import type { SequenceWatch } from "./watch.ts";

export type StreamTimes = {
  /** After this long without an event a comment is sent, so that proxies keep the connection. */
  heartbeatMs: number;
  /** Interval of permission checks. */
  checkMs: number;
  /** Maximum lifetime of a stream. Reconnecting clients spread over the processes. */
  mostMs: number;
};

export const streamTimes: StreamTimes = {
  heartbeatMs: 15_000,
  checkMs: 30_000,
  mostMs: 3_600_000,
};

export type EventStreamDeps = {
  watch: SequenceWatch;
  /** The next events; undefined if the subscription no longer exists. */
  readPage: (after: number) => Promise<PulledPage | undefined>;
  /** Whether the client's token is still valid and permits reading. */
  mayRead: () => Promise<boolean>;
  /** Ends the stream. */
  controller: AbortController;
  onGone: () => void;
  log: Pick<Logger, "info">;
  times: StreamTimes;
};

/** A message that covers the sequences from `at` to `to`. */
type StreamMessage = { at: number; to: number; text: string };

type Write = (text: string) => Promise<void>;

/** A stream with backpressure: the loop writes, the client reads. */
export type PacedStream = {
  stream: Readable;
  /** Resolves when the buffer has room or the stream is over. */
  write(text: string): Promise<void>;
  /** Ends the stream. Data that the client does not read soon is dropped. */
  end(): void;
};

/** Streams the events after the sequence `after`. */
export function createEventStream(
  deps: EventStreamDeps,
  place: { subscriptionId: number; after: number },
): Readable {
  const { controller, times, log, onGone } = deps;
  const timer = setTimeout(() => controller.abort(), times.mostMs);
  const outlet = createPacedStream(controller.signal, () => {
    clearTimeout(timer);
    controller.abort();
    onGone();
  });
  const run = async (): Promise<void> => {
    try {
      const reason = await pump(deps, place, outlet.write);
      log.info({ subscriptionId: place.subscriptionId, reason }, "stream.ended");
    } catch (thrown) {
      // The client reconnects with its last id.
      const reason = toError(thrown).message;
      log.info({ subscriptionId: place.subscriptionId, reason }, "stream.broken");
    }
    outlet.end();
  };
  void run();
  return outlet.stream;
}

const bufferedBytes = 64 * 1024;

const drainMs = 2_000;

/** Calls `onGone` when the client disconnects or has read everything. */
export function createPacedStream(signal: AbortSignal, onGone: () => void): PacedStream {
  let resume: (() => void) | undefined;
  const go = (): void => {
    resume?.();
    resume = undefined;
  };
  const stream = new Readable({
    highWaterMark: bufferedBytes,
    read: go,
    destroy: (error, done) => {
      go();
      done(error);
    },
  });
  stream.once("close", onGone);
  signal.addEventListener("abort", go);
  return {
    stream,
    write: async (text) => {
      if (signal.aborted || stream.destroyed || stream.push(text)) {
        return;
      }
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    },
    end: () => {
      if (stream.destroyed) {
        return;
      }
      stream.push(null);
      const timer = setTimeout(() => stream.destroy(), drainMs);
      stream.once("close", () => clearTimeout(timer));
    },
  };
}

/** The `retry` time of the event stream. */
const reconnectMs = 2_000;

/** Runs until the stream ends. Returns the reason, for the log. */
async function pump(
  deps: EventStreamDeps,
  { subscriptionId, after }: { subscriptionId: number; after: number },
  write: Write,
): Promise<string> {
  const { watch, times, controller } = deps;
  const { signal } = controller;
  let reached = after;
  let checkAtMs = performance.now() + times.checkMs;
  const start = toCursor(subscriptionId, after);
  await write(`retry: ${reconnectMs}\n${toMessage("ready", start, { next: start })}`);
  while (!signal.aborted) {
    if (performance.now() >= checkAtMs) {
      checkAtMs = performance.now() + times.checkMs;
      if (!(await deps.mayRead())) {
        return "no longer allowed";
      }
    }
    const page = await deps.readPage(reached);
    if (page === undefined) {
      return "the webhook was deleted";
    }
    const isLate = (): boolean => performance.now() >= checkAtMs;
    const last = await writeSome(messagesOf(subscriptionId, page), write, isLate);
    reached = last?.to ?? page.next;
    if (last === undefined && !page.hasMore) {
      const startedMs = performance.now();
      await watch.wait(subscriptionId, reached, { waitMs: times.heartbeatMs, signal });
      if (performance.now() - startedMs >= times.heartbeatMs * 0.9) {
        await write(": keep-alive\n\n");
      }
    }
  }
  return "over";
}

/**
 * Writes messages until all are written or the page is too old. Returns the last written one if
 * some are left.
 */
async function writeSome(
  messages: readonly StreamMessage[],
  write: Write,
  isLate: () => boolean,
): Promise<StreamMessage | undefined> {
  for (const message of messages) {
    await write(message.text);
    if (isLate() && message !== messages.at(-1)) {
      return message;
    }
  }
  return undefined;
}

/** Events and gaps in the order of their sequences. Pure. */
function messagesOf(subscriptionId: number, { events, skipped }: PulledPage): StreamMessage[] {
  const messages: StreamMessage[] = [
    ...skipped.map(({ from, to }) => ({
      ...{ at: from, to },
      text: toMessage("skipped", toCursor(subscriptionId, to), { from, to }),
    })),
    ...events.map((event) => ({
      ...{ at: event.sequence, to: event.sequence },
      text: toMessage(
        "webhook",
        toCursor(subscriptionId, event.sequence),
        presentEvent(subscriptionId, event),
      ),
    })),
  ];
  return messages.toSorted((a, b) => a.at - b.at);
}

function toMessage(event: string, id: string, data: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
