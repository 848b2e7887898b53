/** The state of the live page, with bounded size. Pure. */
import type { ApiProblem } from "../../../base/problem.ts";
import type { Bucket, LiveAttempt, LiveView } from "./types.ts";

/** Point-in-time values; their history is known only while the page is open. */
export type Gauge = Readonly<{ waiting: number; pastDue: number; dead: number }>;

export type Connection = Readonly<
  | { is: "connecting" | "live" }
  /** Disconnected; the shown data is stale. */
  | { is: "lost"; problem: ApiProblem | undefined }
  /** Permanently rejected; does not reconnect. */
  | { is: "refused"; problem: ApiProblem | undefined }
>;

export type LiveState = Readonly<{
  connection: Connection;
  /** The newest view; its buckets and its tail are accumulated below. */
  view: LiveView | undefined;
  /** Arrival time, in milliseconds of the page's clock. */
  cameAt: number;
  buckets: readonly Bucket[];
  gauges: readonly Gauge[];
  /** The recent concurrency windows by webhook, newest last. */
  windows: ReadonlyMap<number, readonly number[]>;
  /** Attempts, the newest first. */
  tail: readonly LiveAttempt[];
  /** Attempts since the page was opened, including those dropped from the tail. */
  seen: number;
}>;

export const firstState: LiveState = {
  connection: { is: "connecting" },
  view: undefined,
  cameAt: 0,
  buckets: [],
  gauges: [],
  windows: new Map(),
  tail: [],
  seen: 0,
};

const mostGauges = 300;

const mostTail = 60;

/** Applies a view. `isWhole`: it contains all buckets, not just the next one. */
export function afterView(
  state: LiveState,
  { view, isWhole, cameAt }: { view: LiveView; isWhole: boolean; cameAt: number },
): LiveState {
  const added = newAttempts(state.tail, view.tail);
  // A single second is noisy, so the view's own percentiles, over the last few seconds, are used.
  const buckets = isWhole
    ? view.buckets
    : view.buckets.map((bucket) => ({ ...bucket, latency_ms: view.latency_ms }));
  return {
    connection: { is: "live" },
    view,
    cameAt,
    buckets: withBuckets(isWhole ? [] : state.buckets, buckets),
    gauges: [...state.gauges, gaugeOf(view)].slice(-mostGauges),
    windows: withWindows(state.windows, view),
    tail: [...added, ...state.tail].slice(0, mostTail),
    seen: state.seen + added.length + view.left_out,
  };
}

/** Attempts that are not in the tail yet. */
function newAttempts(
  tail: readonly LiveAttempt[],
  attempts: readonly LiveAttempt[],
): LiveAttempt[] {
  const known = new Set(tail.map(attemptKey));
  return attempts.filter((attempt) => !known.has(attemptKey(attempt)));
}

export function attemptKey({ delivery, number }: LiveAttempt): string {
  return `${delivery} ${number}`;
}

/** The range of the charts. */
const trailMs = 300_000;

function withBuckets(present: readonly Bucket[], added: readonly Bucket[]): Bucket[] {
  const all = [...present];
  for (const bucket of added) {
    const last = all.at(-1);
    if (last !== undefined && last.at === bucket.at) {
      all[all.length - 1] = joined(last, bucket);
    } else {
      all.push(bucket);
    }
  }
  const newest = Date.parse(all.at(-1)?.at ?? "");
  return all.filter(({ at }) => newest - Date.parse(at) < trailMs);
}

/** Merges two buckets of the same second, the resolution of the charts. */
function joined(a: Bucket, b: Bucket): Bucket {
  return {
    ...b,
    seconds: a.seconds + b.seconds,
    delivered: a.delivered + b.delivered,
    failed: a.failed + b.failed,
    retried: a.retried + b.retried,
    dead: a.dead + b.dead,
  };
}

function gaugeOf(view: LiveView): Gauge {
  return {
    waiting: view.waiting_about ?? view.waiting.count,
    pastDue: view.past_due.count,
    dead: view.dead_today,
  };
}

/** History length of the concurrency windows, in views. */
const mostWindows = 60;

/** Drops the history of deleted webhooks. */
function withWindows(windows: LiveState["windows"], { webhooks }: LiveView): LiveState["windows"] {
  return new Map(
    webhooks.map(({ id, window }) => [
      id,
      [...(windows.get(id) ?? []), window].slice(-mostWindows),
    ]),
  );
}

export function afterLoss(
  state: LiveState,
  { problem, isFinal }: { problem: ApiProblem | undefined; isFinal: boolean },
): LiveState {
  return { ...state, connection: { is: isFinal ? "refused" : "lost", problem } };
}

/** Reconnects after the page was hidden; shows the known data until then. */
export function afterPause(state: LiveState): LiveState {
  return {
    ...state,
    connection:
      state.view === undefined ? { is: "connecting" } : { is: "lost", problem: undefined },
  };
}

/** The larger concurrency window within the last minute, if it has shrunk since. */
export function shrunkFrom(state: LiveState, webhook: number): number | undefined {
  const windows = state.windows.get(webhook) ?? [];
  const most = Math.max(0, ...windows);
  return most > (windows.at(-1) ?? 0) ? most : undefined;
}
