import {
  attemptsOf,
  delayBeforeAttemptMs,
  standardSchedule,
  type RetrySchedule,
} from "./backoff.ts";
import type { Failure } from "./failures.ts";
import { retryAfterMs } from "./retry-after.ts";
import type { SendResult } from "./send-types.ts";

type Trouble = {
  /** The receiver, or the way to it, has more than it can take: its window halves. */
  congested: boolean;
  /** How long the whole subscription waits: the receiver asked for it. */
  throttleMs?: number;
};

/** What an attempt's result means for its delivery. `delayMs` counts from now. */
export type Outcome =
  | { kind: "delivered" }
  | ({ kind: "retry"; delayMs: number } & Trouble)
  /** The schedule is over. Kept, shown, replayed by hand. */
  | ({ kind: "dead" } & Trouble)
  /** 410: the receiver wants no more. The delay is for the case that it is switched on again. */
  | ({ kind: "gone"; delayMs: number } & Trouble);

export type ClassifyDeps = {
  now: Date;
  random: () => number;
  /** The subscription's own; null for the platform's. */
  schedule?: RetrySchedule | null;
};

/**
 * Pure: the answers table. `attempt` is the number of the attempt that gave the result, from 1.
 * An attempt that we broke off ourselves is repeated soon and never ends a delivery.
 */
export function classify(result: SendResult, attempt: number, deps: ClassifyDeps): Outcome {
  const reading = read(result, deps.now);
  if (reading === undefined) {
    return { kind: "delivered" };
  }
  const { congested, throttleMs } = reading;
  const trouble = { congested, ...(throttleMs === undefined ? {} : { throttleMs }) };
  const schedule = deps.schedule ?? standardSchedule;
  const backoffMs = reading.isOwnDoing
    ? delayBeforeAttemptMs(2, deps.random)
    : delayBeforeAttemptMs(attempt + 1, deps.random, schedule);
  const delayMs = Math.max(backoffMs, reading.waitMs);
  if (reading.isGone) {
    return { kind: "gone", delayMs, ...trouble };
  }
  return attempt >= attemptsOf(schedule) && !reading.isOwnDoing
    ? { kind: "dead", ...trouble }
    : { kind: "retry", delayMs, ...trouble };
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

type Reading = Trouble & { waitMs: number; isGone: boolean; isOwnDoing: boolean };

/** Undefined for a success: nothing but 2xx is one. A redirect is an answer like any other. */
function read(result: SendResult, now: Date): Reading | undefined {
  if (result.kind === "failed") {
    const congested = isCongestion[result.failure];
    return { congested, waitMs: 0, isGone: false, isOwnDoing: result.failure === "aborted" };
  }
  const { status, headers } = result;
  if (status >= 200 && status < 300) {
    return undefined;
  }
  const waitMs = retryAfterMs(headers["retry-after"], now) ?? 0;
  const congested = asksForPatience(status);
  return {
    congested,
    waitMs,
    isGone: status === 410,
    isOwnDoing: false,
    ...(congested && waitMs > 0 ? { throttleMs: waitMs } : {}),
  };
}

function asksForPatience(status: number): boolean {
  return status === 429 || status === 503;
}
