/**
 * In: the result of an attempt. Out: whether its delivery is delivered, is retried and when, or is
 * dead. Pure.
 */
import type { Failure, SendResult } from "./send-result.ts";

type FailureHints = {
  /** The receiver or the network is overloaded: halves the concurrency window. */
  congested: boolean;
  /** How long the whole subscription pauses, because the receiver asked for it. */
  throttleMs?: number;
};

/** The consequence of a result for its delivery. `delayMs` counts from now. */
export type AttemptOutcome =
  | { kind: "delivered" }
  | ({ kind: "retry"; delayMs: number } & FailureHints)
  /** No retry is left. Kept, and can be replayed. */
  | ({ kind: "dead" } & FailureHints)
  /** 410: switches the subscription off. The delay applies if it is switched on again. */
  | ({ kind: "gone"; delayMs: number } & FailureHints);

export type ClassifyDeps = {
  now: Date;
  random: () => number;
  /** The schedule of the subscription; null for the default. */
  schedule?: RetrySchedule | null;
};

const msPerSecond = 1_000;

const minuteSeconds = 60;

const hourSeconds = 60 * minuteSeconds;

/** Seconds before the second attempt, the third … */
export type RetrySchedule = readonly number[];

/** Ten attempts within about three days. */
export const defaultSchedule: RetrySchedule = [
  5,
  5 * minuteSeconds,
  30 * minuteSeconds,
  2 * hourSeconds,
  5 * hourSeconds,
  10 * hourSeconds,
  14 * hourSeconds,
  20 * hourSeconds,
  24 * hourSeconds,
];

export const maxAttempts = attemptsOf(defaultSchedule);

/**
 * Caps the default schedule, jitter included, and `Retry-After`. Custom steps are limited to 24 h
 * before jitter.
 */
export const longestDelayMs = 24 * hourSeconds * msPerSecond;

/**
 * Maps a result to its outcome. `attempt` is the number of the attempt, from 1. An attempt that we
 * aborted is retried soon and never ends a delivery, but it uses a step of the schedule: the
 * settlement counts it. Pure.
 */
export function classify(result: SendResult, attempt: number, deps: ClassifyDeps): AttemptOutcome {
  const verdict = verdictOf(result, deps.now);
  if (verdict === undefined) {
    return { kind: "delivered" };
  }
  const { congested, throttleMs } = verdict;
  const failureHints = { congested, ...(throttleMs === undefined ? {} : { throttleMs }) };
  const schedule = deps.schedule ?? defaultSchedule;
  const backoffMs = verdict.abortedByUs
    ? delayBeforeAttemptMs(2, deps.random)
    : delayBeforeAttemptMs(attempt + 1, deps.random, schedule);
  const delayMs = Math.max(backoffMs, verdict.waitMs);
  if (verdict.isGone) {
    return { kind: "gone", delayMs, ...failureHints };
  }
  return attempt >= attemptsOf(schedule) && !verdict.abortedByUs
    ? { kind: "dead", ...failureHints }
    : { kind: "retry", delayMs, ...failureHints };
}

const isCongestion: Readonly<Record<Failure, boolean>> = {
  timeout_connect: true,
  timeout_response: true,
  dns: true,
  refused: true,
  reset: true,
  unreachable: true,
  tls: true,
  protocol: false,
  blocked_target: false,
  // All deliveries fail at once until there is a token, so as few as possible are tried.
  oauth2: true,
  aborted: false,
  other: false,
};

type AttemptVerdict = FailureHints & { waitMs: number; isGone: boolean; abortedByUs: boolean };

/** Undefined for a success, which is 2xx only. A redirect is a failure. */
function verdictOf(result: SendResult, now: Date): AttemptVerdict | undefined {
  if (result.kind === "failed") {
    const congested = isCongestion[result.failure];
    return { congested, waitMs: 0, isGone: false, abortedByUs: result.failure === "aborted" };
  }
  const { status, headers } = result;
  if (status >= 200 && status < 300) {
    return undefined;
  }
  const waitMs = retryAfterMs(headers["retry-after"], now) ?? 0;
  const congested = isOverloadStatus(status);
  return {
    congested,
    waitMs,
    isGone: status === 410,
    abortedByUs: false,
    ...(congested && waitMs > 0 ? { throttleMs: waitMs } : {}),
  };
}

/**
 * The delay of a `Retry-After` header, between 0 and 24 hours. A past date is 0; an invalid value
 * counts as absent.
 */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? "";
  const time = /^\d+$/u.test(text) ? now.getTime() + Number(text) * 1000 : parseHttpDate(text);
  return time === undefined
    ? undefined
    : Math.min(Math.max(time - now.getTime(), 0), longestDelayMs);
}

/** The date forms of RFC 9110: IMF-fixdate, RFC 850, and asctime, which is in GMT. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+?(?<zone> GMT)?$/u;

/** `Date.parse` alone would accept "5 apples" as a date. */
function parseHttpDate(text: string): number | undefined {
  const match = httpDate.exec(text);
  if (match === null) {
    return undefined;
  }
  const time = Date.parse(match.groups?.["zone"] === undefined ? `${text} GMT` : text);
  return Number.isNaN(time) ? undefined : time;
}

function isOverloadStatus(status: number): boolean {
  return status === 429 || status === 503;
}

/** Jitter: deliveries that failed together are not retried together. */
const jitter = 0.1;

/** Used for `gone` when the schedule is empty. */
const emptyScheduleDelaySeconds = 5;

/**
 * The delay before an attempt (the first is 1), ±10 %; `random` returns [0, 1). Attempts beyond the
 * schedule use its last delay.
 */
export function delayBeforeAttemptMs(
  attemptNumber: number,
  random: () => number,
  schedule: RetrySchedule = defaultSchedule,
): number {
  if (attemptNumber <= 1) {
    return 0;
  }
  const index = Math.min(attemptNumber - 2, schedule.length - 1);
  const baseMs = (schedule[index] ?? emptyScheduleDelaySeconds) * msPerSecond;
  const delayMs = Math.round(baseMs * (1 - jitter + 2 * jitter * random()));
  return schedule === defaultSchedule ? Math.min(delayMs, longestDelayMs) : delayMs;
}

export function attemptsOf(schedule: RetrySchedule): number {
  return schedule.length + 1;
}
