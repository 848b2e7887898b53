/**
 * Emits each view of the event stream, and its loss. Reconnects with backoff, unless the rejection
 * is permanent; a silent connection counts as lost.
 */
import { createParser } from "eventsource-parser";
import { api, call } from "../../../base/api.ts";
import { ApiProblem } from "../../../base/problem.ts";
import type { LiveView } from "./types.ts";

export type FeedListener = Readonly<{
  onView: (view: LiveView, isWhole: boolean) => void;
  /** `isFinal`: the rejection is permanent, so it does not reconnect. */
  onLost: (problem: ApiProblem | undefined, isFinal: boolean) => void;
}>;

/** Starts at once; runs until the returned function is called. */
export function startFeed(listener: FeedListener): () => void {
  const controller = new AbortController();
  void run(controller.signal, listener);
  return () => controller.abort();
}

async function run(signal: AbortSignal, { onView, onLost }: FeedListener): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const controller = new AbortController();
    const end = (): void => controller.abort();
    signal.addEventListener("abort", end);
    let problem: ApiProblem | undefined;
    try {
      await readViews(controller, (view, isWhole) => {
        failures = 0;
        onView(view, isWhole);
      });
    } catch (thrown) {
      // A broken stream is reported without a problem.
      problem = thrown instanceof ApiProblem ? thrown : undefined;
    }
    signal.removeEventListener("abort", end);
    if (signal.aborted) {
      return;
    }
    const isFinal = isRefusal(problem?.status ?? 0);
    onLost(problem, isFinal);
    if (isFinal) {
      return;
    }
    await pause(pauseMs(failures, problem), signal);
    failures += 1;
  }
}

/** Views arrive every second; after 15 idle seconds the server sends a comment as keep-alive. */
const silenceMs = 20_000;

/** Resolves at the end of the stream; throws its error. */
async function readViews(
  controller: AbortController,
  onView: FeedListener["onView"],
): Promise<void> {
  const parser = createParser({
    onEvent: ({ event, data }) => onView(JSON.parse(data) as LiveView, event === "snapshot"),
  });
  const decoder = new TextDecoder();
  let silence = setTimeout(() => controller.abort(), silenceMs);
  try {
    const reader = (await connect(controller.signal))?.getReader();
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) {
        return;
      }
      clearTimeout(silence);
      silence = setTimeout(() => controller.abort(), silenceMs);
      parser.feed(decoder.decode(piece.value, { stream: true }));
    }
  } finally {
    clearTimeout(silence);
    controller.abort();
  }
}

function connect(signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
  return call(
    api.GET("/api/webhooks/live", {
      params: { query: { events: 2 } },
      headers: { accept: "text/event-stream" },
      parseAs: "stream",
      cache: "no-store",
      signal,
    }),
  ) as Promise<ReadableStream<Uint8Array> | null>;
}

/** A retry would be rejected again. */
function isRefusal(status: number): boolean {
  return status === 401 || status === 403 || status === 404;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const firstPauseMs = 500;

const longestPauseMs = 10_000;

/** Backoff with jitter after a restart, and at least `Retry-After`. */
function pauseMs(failures: number, problem: ApiProblem | undefined): number {
  const query = (problem?.retryAfter ?? 0) * 1_000;
  const own = Math.min(longestPauseMs, firstPauseMs * 2 ** failures);
  return Math.max(query, own * (0.8 + Math.random() * 0.4));
}
