/**
 * In: a job. Out: one settled attempt.
 * Guarantee: only deliveries that this process alone may send are sent (claims.ts). A receiver's failure is a result;
 * this rejects only for faults of our own.
 * On crash: after the claim, the lease ends and another worker retries with the same webhook-id.
 * After settling, only the switch-off after a 410 can be lost; the next 410 repeats it.
 */
import { resultOf, type AttemptResult } from "../../contracts/deliveries.ts";
import type { DeliverJob } from "../../contracts/jobs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FaultPoint } from "../../contracts/fault-points.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { ClaimedDelivery } from "../ledger/claim.ts";
import type { AttemptRecord, Settlement } from "../ledger/record-results.ts";
import type { EndpointLookup } from "../ledger/endpoints.ts";
import { classify, type AttemptOutcome, type RetrySchedule } from "./retry-policy.ts";
import { buildRequestFor } from "./request.ts";
import type { SendRequest, SendResult } from "./send-result.ts";

export type HandlerDeps = {
  claim: (job: DeliverJob) => Promise<ClaimedDelivery | undefined>;
  /** Runs the attempt. During it, stores a claim if there is none and the result takes long. */
  claimIfSlow: (job: DeliverJob, attempt: () => Promise<void>) => Promise<void>;
  findEndpoint: (subscriptionId: number, revision: number) => Promise<EndpointLookup>;
  send: (delivery: ClaimedDelivery, request: SendRequest) => Promise<SendResult>;
  /** False if the claim has been lost. */
  settle: (settlement: Settlement) => Promise<boolean>;
  /** Switches off a subscription whose receiver answered 410, unless its URL is another one now. */
  switchOff: (subscriptionId: number, revision: number | null) => Promise<void>;
  /** A first attempt starts this long after its event. */
  onFirstAttempt: (lagMs: number) => void;
  onAttempt: (attempt: AttemptReport) => void;
  clock: Clock;
  random: () => number;
  faultPoint: FaultPoint;
};

/** The data of an attempt for the log line and the metrics. */
export type AttemptReport = {
  delivery: ClaimedDelivery;
  result: SendResult;
  outcome: AttemptOutcome;
  accepted: boolean;
  endedAt: Date;
};

type ReportDeps = { log: Logger; metrics: Metrics };

type SentAttempt = {
  result: SendResult;
  revision: number | null;
  startedAt: Date;
  requestHeaders: Record<string, string>;
  /** The schedule of the subscription; null for the default. */
  schedule: RetrySchedule | null;
};

export type Handler = {
  /** Claims the delivery of a job, and sends it. */
  handle(job: DeliverJob): Promise<void>;
  /** Sends a delivery that is claimed already. */
  send(delivery: ClaimedDelivery): Promise<void>;
};

/** A first attempt that starts this long after its event belongs to a backlog. */
export const catchUpAfterMs = 30_000;

export function createHandler(deps: HandlerDeps): Handler {
  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    deps.faultPoint("delivery.afterClaim");
    if (delivery.attempt === 1 && !delivery.isReplay) {
      deps.onFirstAttempt(lagOf(delivery, deps.clock.now()));
    }
    const sent = await sendAttempt(deps, delivery);
    deps.faultPoint("delivery.afterSend");
    const now = deps.clock.now();
    const { schedule } = sent;
    const outcome = classify(sent.result, delivery.attempt, {
      now,
      random: deps.random,
      schedule,
    });
    const accepted = await deps.settle(toSettlement(delivery, sent, outcome, now));
    deps.onAttempt({ delivery, result: sent.result, outcome, accepted, endedAt: now });
    if (outcome.kind === "gone" && accepted) {
      await deps.switchOff(delivery.subscriptionId, sent.revision);
    }
  };
  return {
    handle: async (job) => {
      const delivery = await deps.claim(job);
      if (delivery !== undefined) {
        await deps.claimIfSlow(job, () => attempt(delivery));
      } // else another worker claimed it, the delivery ended, or the subscription is off
    },
    send: attempt,
  };
}

async function sendAttempt(deps: HandlerDeps, delivery: ClaimedDelivery): Promise<SentAttempt> {
  const found = await deps.findEndpoint(delivery.subscriptionId, delivery.revision);
  const startedAt = deps.clock.now();
  if (found.kind === "unusable") {
    return unusableEndpoint(found.reason, startedAt);
  }
  const { endpoint } = found;
  const { request, recordedHeaders } = buildRequestFor(endpoint, delivery, startedAt);
  return {
    result: await deps.send(delivery, request),
    startedAt,
    revision: endpoint.revision,
    requestHeaders: recordedHeaders,
    schedule: endpoint.retrySchedule,
  };
}

function unusableEndpoint(reason: string, startedAt: Date): SentAttempt {
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
  sent: SentAttempt,
  outcome: AttemptOutcome,
  now: Date,
): Settlement {
  return {
    deliveryId: delivery.deliveryId,
    generation: delivery.generation,
    subscriptionId: delivery.subscriptionId,
    object: delivery.object,
    state: outcome.kind === "gone" ? "retry" : outcome.kind,
    dueAt: dueAtOf(outcome, now),
    congested: outcome.kind !== "delivered" && outcome.congested,
    throttleMs: outcome.kind === "delivered" ? 0 : (outcome.throttleMs ?? 0),
    isCatchingUp: lagOf(delivery, sent.startedAt) >= catchUpAfterMs,
    record: recordOf(sent),
  };
}

function dueAtOf(outcome: AttemptOutcome, now: Date): Date | null {
  switch (outcome.kind) {
    case "delivered":
    case "dead":
      return null;
    case "gone":
    case "retry":
      return new Date(now.getTime() + outcome.delayMs);
  }
}

/** The lag of a first attempt after its event; 0 for others, which are late by design. */
function lagOf({ attempt, isReplay, occurredAt }: ClaimedDelivery, startedAt: Date): number {
  return attempt === 1 && !isReplay ? startedAt.getTime() - occurredAt.getTime() : 0;
}

function recordOf({ result, startedAt, revision, requestHeaders }: SentAttempt): AttemptRecord {
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

/** Writes the log line and the metrics of an attempt. */
export function reportAttempt(
  { delivery, result, outcome, accepted, endedAt }: AttemptReport,
  { log, metrics }: ReportDeps,
): void {
  const { object } = delivery;
  metrics.attempts.inc({ object, result: resultLabel(result) });
  metrics.attemptDuration.observe(result.durationMs / 1000);
  if (delivery.attempt === 1) {
    const latencyMs = endedAt.getTime() - delivery.occurredAt.getTime();
    metrics.deliveryLatency.observe(Math.max(0, latencyMs) / 1000);
  }
  if (accepted && (outcome.kind === "delivered" || outcome.kind === "dead")) {
    metrics.deliveries.inc({ object, outcome: outcome.kind });
  }
  log.info(
    {
      delivery_id: delivery.deliveryId,
      event_id: delivery.eventId,
      subscription_id: delivery.subscriptionId,
      sequence: delivery.sequence,
      attempt: delivery.attempt,
      object,
      outcome: outcome.kind,
      accepted,
      ms: Math.round(result.durationMs),
      ...(result.kind === "answered" ? { status: result.status } : { failure: result.failure }),
    },
    "delivery.attempted",
  );
}

function resultLabel(result: SendResult): AttemptResult {
  return result.kind === "answered"
    ? resultOf(result.status, null)
    : resultOf(null, result.failure);
}
