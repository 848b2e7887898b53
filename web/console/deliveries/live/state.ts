/** What the page knows of what happens now: bounded, however long it is open. Pure. */
import type { ApiProblem } from "../../../base/problem.ts";
import type { Bucket, LiveAttempt, LiveView } from "./types.ts";

/** Numbers of one moment; how they went is known only as long as somebody watches. */
export type Gauge = Readonly<{ waiting: number; pastDue: number; dead: number }>;

export type Connection = Readonly<
  | { is: "connecting" | "live" }
  /** What is shown is old. */
  | { is: "lost"; problem: ApiProblem | undefined }
  /** It does not come back by itself. */
  | { is: "refused"; problem: ApiProblem | undefined }
>;

export type LiveState = Readonly<{
  connection: Connection;
  /** The newest view; its buckets and its tail are told below. */
  view: LiveView | undefined;
  /** When it came, in milliseconds of this page's own clock. */
  cameAt: number;
  buckets: readonly Bucket[];
  gauges: readonly Gauge[];
  /** By webhook: its windows, the newest last. */
  windows: ReadonlyMap<number, readonly number[]>;
  /** Attempts, the newest first. */
  tail: readonly LiveAttempt[];
  /** Attempts that ended since the page watches, also those that the tail leaves out. */
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

/** After a view. `isWhole`: its buckets are all there are, not one more. */
export function afterView(
  state: LiveState,
  { view, isWhole, cameAt }: { view: LiveView; isWhole: boolean; cameAt: number },
): LiveState {
  const added = newAttempts(state.tail, view.tail);
  // One second alone jumps about; the view's own percentiles are of the last few.
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

/** Those of them that were not told before. */
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

/** As far back as the charts show. */
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

/** Two of one second are one, since charts show whole seconds. */
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

/** The window of a webhook is compared with that of so many views ago at most. */
const mostWindows = 60;

/** Of webhooks that are gone nothing stays. */
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

/** Looks again after nobody could see the page: what is known is shown until then. */
export function afterPause(state: LiveState): LiveState {
  return {
    ...state,
    connection:
      state.view === undefined ? { is: "connecting" } : { is: "lost", problem: undefined },
  };
}

/** How large the window was within the last minute, where it has shrunk since. */
export function shrunkFrom(state: LiveState, webhook: number): number | undefined {
  const windows = state.windows.get(webhook) ?? [];
  const most = Math.max(0, ...windows);
  return most > (windows.at(-1) ?? 0) ? most : undefined;
}
