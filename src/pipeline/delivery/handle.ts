/**
 * In: a hint. Out: one attempt, settled.
 * Guarantee: only what the ledger gave to this process is sent; whatever a receiver does is a
 * result, so this rejects for faults of our own only.
 * On crash: after the claim, the lease ends and the sweeper lets another worker try again with the
 * same webhook-id; after the settlement nothing is left to do.
 */
import type { DeliverHint } from "../../contracts/jobs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FaultPoint } from "../../platform/fault-point.ts";
import type { ClaimedDelivery } from "../ledger/claim.ts";
import type { AttemptRecord, Settlement } from "../ledger/settle.ts";
import type { TargetLookup } from "../ledger/targets.ts";
import { catchUpAfterMs } from "./pressure.ts";
import { classify, type Outcome } from "./classify.ts";
import type { RetrySchedule } from "./backoff.ts";
import { requestTo } from "./request.ts";
import type { Send, SendResult } from "./send-types.ts";

export type HandlerDeps = {
  claim: (hint: DeliverHint) => Promise<ClaimedDelivery | undefined>;
  findTarget: (subscriptionId: number, revision: number) => Promise<TargetLookup>;
  send: Send;
  /** True when the ledger took the result; false when the claim was lost meanwhile. */
  settle: (settlement: Settlement) => Promise<boolean>;
  /** Switches a subscription off whose receiver answered 410. */
  switchOff: (subscriptionId: number) => Promise<void>;
  /** A first attempt begins, so many milliseconds after its event. */
  onBegin: (lagMs: number) => void;
  onAttempt: (attempt: AttemptReport) => void;
  clock: Clock;
  random: () => number;
  faultPoint: FaultPoint;
};

/** What one attempt was, for the log line and the metrics. */
export type AttemptReport = {
  delivery: ClaimedDelivery;
  result: SendResult;
  outcome: Outcome;
  isTaken: boolean;
};

type Sent = {
  result: SendResult;
  revision: number | null;
  startedAt: Date;
  requestHeaders: Record<string, string>;
  /** The subscription's own; null for the platform's. */
  schedule: RetrySchedule | null;
};

/** Makes the function that a hint is given to. */
export function createHandler(deps: HandlerDeps) {
  return async (hint: DeliverHint): Promise<void> => {
    const delivery = await deps.claim(hint);
    if (delivery === undefined) {
      return; // another worker won, the delivery ended, or the subscription is off
    }
    deps.faultPoint("delivery.afterClaim");
    if (delivery.attempt === 1 && !delivery.isReplay) {
      deps.onBegin(lagOf(delivery, deps.clock.now()));
    }
    const sent = await sendTo(deps, delivery);
    deps.faultPoint("delivery.afterSend");
    const now = deps.clock.now();
    const { schedule } = sent;
    const outcome = classify(sent.result, delivery.attempt, {
      now,
      random: deps.random,
      schedule,
    });
    const isTaken = await deps.settle(toSettlement(delivery, sent, outcome, now));
    deps.onAttempt({ delivery, result: sent.result, outcome, isTaken });
    if (outcome.kind === "gone" && isTaken) {
      await deps.switchOff(delivery.subscriptionId);
    }
  };
}

async function sendTo(deps: HandlerDeps, delivery: ClaimedDelivery): Promise<Sent> {
  const found = await deps.findTarget(delivery.subscriptionId, delivery.revision);
  const startedAt = deps.clock.now();
  if (found.kind === "unusable") {
    return unusable(found.reason, startedAt);
  }
  const { target } = found;
  const { request, recordedHeaders } = requestTo(target, delivery, startedAt);
  return {
    result: await deps.send(request),
    startedAt,
    revision: target.revision,
    requestHeaders: recordedHeaders,
    schedule: target.retrySchedule,
  };
}

function unusable(reason: string, startedAt: Date): Sent {
  return {
    startedAt,
    revision: null,
    requestHeaders: {},
    schedule: null,
    result: {
      kind: "failed",
      failure: "other",
      detail: `Not sent: ${reason}`,
      durationMs: 0,
      phases: { total: 0 },
    },
  };
}

function toSettlement(
  delivery: ClaimedDelivery,
  sent: Sent,
  outcome: Outcome,
  now: Date,
): Settlement {
  return {
    deliveryId: delivery.deliveryId,
    generation: delivery.generation,
    subscriptionId: delivery.subscriptionId,
    state: outcome.kind === "gone" ? "retry" : outcome.kind,
    dueAt: dueAtOf(outcome, now),
    congested: outcome.kind !== "delivered" && outcome.congested,
    throttleMs: outcome.kind === "delivered" ? 0 : (outcome.throttleMs ?? 0),
    isCatchingUp: lagOf(delivery, sent.startedAt) >= catchUpAfterMs,
    record: recordOf(sent),
  };
}

function dueAtOf(outcome: Outcome, now: Date): Date | null {
  switch (outcome.kind) {
    case "delivered":
    case "dead":
      return null;
    case "gone":
    case "retry":
      return new Date(now.getTime() + outcome.delayMs);
  }
}

/** How long after its event a first attempt began; 0 for others, which are late by design. */
function lagOf({ attempt, isReplay, occurredAt }: ClaimedDelivery, startedAt: Date): number {
  return attempt === 1 && !isReplay ? startedAt.getTime() - occurredAt.getTime() : 0;
}

function recordOf({ result, startedAt, revision, requestHeaders }: Sent): AttemptRecord {
  const isAnswered = result.kind === "answered";
  return {
    startedAt,
    revision,
    durationMs: result.durationMs,
    status: isAnswered ? result.status : null,
    failure: isAnswered ? null : result.failure,
    failureDetail: isAnswered ? (result.note ?? null) : result.detail,
    phases: result.phases,
    requestHeaders,
    responseHeaders: isAnswered ? result.headers : null,
    responseBody: isAnswered ? result.body : null,
  };
}
