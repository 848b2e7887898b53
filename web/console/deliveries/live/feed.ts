/**
 * In: a stream of views. Out: each view, and when the stream was lost.
 * Guarantee: comes back by itself, later each time until something is told again, unless the
 * refusal is one that stays; a connection that has gone silent counts as lost.
 */
import { createParser } from "eventsource-parser";
import { api, call } from "../../../base/api.ts";
import { ApiProblem } from "../../../base/problem.ts";
import type { LiveView } from "./types.ts";

export type FeedListener = Readonly<{
  onView: (view: LiveView, isWhole: boolean) => void;
  /** `isFinal`: it does not come back, since it may not. */
  onLost: (problem: ApiProblem | undefined, isFinal: boolean) => void;
}>;

/** Begins at once; goes on until the returned function is called. */
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
      // A stream that broke off is told without one.
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

/** Beats come every second, a comment after fifteen without one. */
const silenceMs = 20_000;

/** Ends with the stream; throws what broke it. */
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
      headers: { accept: "text/event-stream" },
      parseAs: "stream",
      cache: "no-store",
      signal,
    }),
  ) as Promise<ReadableStream<Uint8Array> | null>;
}

/** Asking again would be refused again. */
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

/** Not all pages at once after a restart, and no sooner than was asked for. */
function pauseMs(failures: number, problem: ApiProblem | undefined): number {
  const query = (problem?.retryAfter ?? 0) * 1_000;
  const own = Math.min(longestPauseMs, firstPauseMs * 2 ** failures);
  return Math.max(query, own * (0.8 + Math.random() * 0.4));
}
