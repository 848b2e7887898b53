import type { Failure, SendResult } from "./send-result.ts";

type FailureHints = {
  /** The receiver, or the way to it, has more than it can take: its window halves. */
  congested: boolean;
  /** How long the whole subscription waits: the receiver asked for it. */
  throttleMs?: number;
};

/** What an attempt's result means for its delivery. `delayMs` counts from now. */
export type AttemptOutcome =
  | { kind: "delivered" }
  | ({ kind: "retry"; delayMs: number } & FailureHints)
  /** The schedule is over. Kept, shown, replayed by hand. */
  | ({ kind: "dead" } & FailureHints)
  /** 410: the receiver wants no more. The delay is for the case that it is switched on again. */
  | ({ kind: "gone"; delayMs: number } & FailureHints);

export type ClassifyDeps = {
  now: Date;
  random: () => number;
  /** The subscription's own; null for the platform's. */
  schedule?: RetrySchedule | null;
};

const second = 1_000;

const minute = 60;

const hour = 60 * minute;

/** Seconds before the second attempt, the third … */
export type RetrySchedule = readonly number[];

/** Ten tries in about three days. */
export const standardSchedule: RetrySchedule = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

export const maxAttempts = attemptsOf(standardSchedule);

/** The longest wait of the standard schedule, and of a `Retry-After`; a subscription's own may be longer. */
export const longestDelayMs = 24 * hour * second;

/**
 * Pure: the answers table. `attempt` is the number of the attempt that gave the result, from 1.
 * An attempt that we broke off ourselves is repeated soon and never ends a delivery.
 */
export function classify(result: SendResult, attempt: number, deps: ClassifyDeps): AttemptOutcome {
  const verdict = verdictOf(result, deps.now);
  if (verdict === undefined) {
    return { kind: "delivered" };
  }
  const { congested, throttleMs } = verdict;
  const failureHints = { congested, ...(throttleMs === undefined ? {} : { throttleMs }) };
  const schedule = deps.schedule ?? standardSchedule;
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
  // Its deliveries fail at once until there is a token: as few of them as possible.
  oauth2: true,
  aborted: false,
  other: false,
};

type AttemptVerdict = FailureHints & { waitMs: number; isGone: boolean; abortedByUs: boolean };

/** Undefined for a success: nothing but 2xx is one. A redirect is an answer like any other. */
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
  const congested = isThrottlingStatus(status);
  return {
    congested,
    waitMs,
    isGone: status === 410,
    abortedByUs: false,
    ...(congested && waitMs > 0 ? { throttleMs: waitMs } : {}),
  };
}

/**
 * The wait a `Retry-After` asks for, between 0 and 24 hours. A date that is over is 0; what is
 * neither seconds nor an HTTP date is undefined, as if the header were absent.
 */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? "";
  const time = /^\d+$/u.test(text) ? now.getTime() + Number(text) * 1000 : parseHttpDate(text);
  return time === undefined
    ? undefined
    : Math.min(Math.max(time - now.getTime(), 0), longestDelayMs);
}

/** The forms of RFC 9110: IMF-fixdate, RFC 850, and asctime, which has no zone but means GMT. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+?(?<zone> GMT)?$/u;

/** `Date.parse` alone would take "5 apples" for a date. */
function parseHttpDate(text: string): number | undefined {
  const match = httpDate.exec(text);
  if (match === null) {
    return undefined;
  }
  const time = Date.parse(match.groups?.["zone"] === undefined ? `${text} GMT` : text);
  return Number.isNaN(time) ? undefined : time;
}

function isThrottlingStatus(status: number): boolean {
  return status === 429 || status === 503;
}

/** Spreads what failed together, so that it does not come back together. */
const jitter = 0.1;

/** Where a schedule has no wait at all, and yet one is needed: for a switch-off at a 410. */
const fallbackSeconds = 5;

/**
 * Wait before an attempt (the first is 1), ±10 %; `random` gives [0, 1). Attempts beyond the
 * schedule wait as long as its last one.
 */
export function delayBeforeAttemptMs(
  attemptNumber: number,
  random: () => number,
  schedule: RetrySchedule = standardSchedule,
): number {
  if (attemptNumber <= 1) {
    return 0;
  }
  const index = Math.min(attemptNumber - 2, schedule.length - 1);
  const baseMs = (schedule[index] ?? fallbackSeconds) * second;
  const delayMs = Math.round(baseMs * (1 - jitter + 2 * jitter * random()));
  return schedule === standardSchedule ? Math.min(delayMs, longestDelayMs) : delayMs;
}

export function attemptsOf(schedule: RetrySchedule): number {
  return schedule.length + 1;
}
