/**
 * The state machine of a delivery, and how its attempts can end: pure data and a few functions.
 *
 *   ∅ ──create──► pending      ∅ ──createQueued──► queued      ∅ ──createPaused──► paused
 *   ∅ ──createAvailable──► available      ∅ ──createRedacted──► cancelled
 *   pending, retry ──enqueue──► queued ──claim──► sending      pending, retry ──claimDue──► sending
 *   queued ──requeue──► pending | retry      sending ──expireLease──► pending | retry
 *   queued, sending ──succeed──► delivered      queued, sending ──fail──► retry
 *   queued, sending ──giveUp──► dead
 *   pending, retry, queued ──pause──► paused ──resume──► pending | retry
 *   pending, retry, queued, paused ──cancel──► cancelled      all of these, sending ──redact──► cancelled
 *
 * A first attempt may end in the state `queued`: its job was sent without a claim
 * (pipeline/ledger/reservation.ts). `pending | retry`: pending before the first finished attempt, retry after it. All other transitions
 * are rejected. The SQL is generated from the same table: pipeline/ledger/state-sql.ts.
 */
import type { SubscriptionMode } from "./subscriptions.ts";

export const deliveryStates = [
  "pending",
  "queued",
  "sending",
  "retry",
  "delivered",
  "dead",
  "paused",
  "cancelled",
  "available",
] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** The delivery may still be sent, so its event is kept regardless of its age. */
export const liveStates: readonly DeliveryState[] = [
  "pending",
  "queued",
  "sending",
  "retry",
  "paused",
];

/** States that count against the concurrency window of the subscription. */
export const inFlightStates: readonly DeliveryState[] = ["queued", "sending"];

/** Final states. */
export const endedStates: readonly DeliveryState[] = [
  "delivered",
  "dead",
  "cancelled",
  "available",
];

/** Final states of deliveries that the receiver never got. */
export const failedStates: readonly DeliveryState[] = ["dead", "cancelled"];

/** States in which the next attempt has a due time. */
export const scheduledStates: readonly DeliveryState[] = ["pending", "queued", "retry"];

/** The delivery waits for its first or next attempt. */
export type WaitingState = "pending" | "retry";

/** The state of a delivery after an attempt. */
export type AttemptedState = "delivered" | "retry" | "dead";

/** `none`: the delivery does not exist yet. */
export type DeliveryLifecycleState = DeliveryState | "none";

/** `waiting`: `pending` before the first finished attempt, `retry` after it. */
type DeliveryTransition = {
  from: readonly DeliveryLifecycleState[];
  to: DeliveryState | "waiting";
};

/** Every state transition of a delivery. */
export const deliveryTransitions = {
  create: { from: ["none"], to: "pending" },
  /** The concurrency window has room, and nothing else is due. */
  createQueued: { from: ["none"], to: "queued" },
  /** The subscription is switched off. */
  createPaused: { from: ["none"], to: "paused" },
  /** Pull mode: nothing is sent. */
  createAvailable: { from: ["none"], to: "available" },
  /** The content of the event was removed before it was fanned out. */
  createRedacted: { from: ["none"], to: "cancelled" },
  enqueue: { from: ["pending", "retry"], to: "queued" },
  claim: { from: ["queued"], to: "sending" },
  /** Enqueue and claim in one step, by a worker with a free slot. */
  claimDue: { from: ["pending", "retry"], to: "sending" },
  /** The job was lost, or the receiver asked for a delay. */
  requeue: { from: ["queued"], to: "waiting" },
  /** The worker that sent it died. */
  expireLease: { from: ["sending"], to: "waiting" },
  succeed: { from: ["queued", "sending"], to: "delivered" },
  fail: { from: ["queued", "sending"], to: "retry" },
  /** The last attempt of the schedule failed. */
  giveUp: { from: ["queued", "sending"], to: "dead" },
  pause: { from: ["pending", "retry", "queued"], to: "paused" },
  resume: { from: ["paused"], to: "waiting" },
  /** A request in flight is left to its worker; only `redact` cancels it. */
  cancel: { from: ["pending", "retry", "queued", "paused"], to: "cancelled" },
  redact: { from: liveStates, to: "cancelled" },
} as const satisfies Record<string, DeliveryTransition>;

export type DeliveryAction = keyof typeof deliveryTransitions;

/** Why a delivery was cancelled. */
export const endReasons = [
  "webhook_deleted",
  "off_too_long",
  "expunged",
  "replay_cancelled",
] as const;

export type EndReason = (typeof endReasons)[number];

/** Why there was no answer. Stable values: they are metric labels and stored with the attempts. */
export const failureClasses = [
  "timeout_connect",
  "timeout_response",
  "dns",
  "refused",
  "reset",
  "unreachable",
  "tls",
  "protocol",
  "blocked_target",
  "oauth2",
  "aborted",
  /** The result is unknown because it could not be stored. Says nothing about the receiver. */
  "interrupted",
  "other",
] as const;

export type FailureClass = (typeof failureClasses)[number];

const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

/** The results of an attempt: a status class, or the reason why there was no answer. */
export const attemptResults = [...statusClasses, ...failureClasses] as const;

export type AttemptResult = (typeof attemptResults)[number];

/** The only successful result. */
export const successResult = "2xx" satisfies AttemptResult;

/** The state after a transition. Throws if the current state does not allow it. */
export function nextDeliveryState(
  from: DeliveryLifecycleState,
  action: DeliveryAction,
  attempts = 0,
): DeliveryState {
  const { from: sources, to }: DeliveryTransition = deliveryTransitions[action];
  if (!sources.includes(from)) {
    throw new Error(`A delivery in the state ${from} does not allow ${action}`);
  }
  return to === "waiting" ? waitingState(attempts) : to;
}

/** The waiting state for a number of finished attempts. */
export function waitingState(attempts: number): WaitingState {
  return attempts === 0 ? "pending" : "retry";
}

/** The initial state of a delivery. */
export function initialDeliveryState(input: {
  isRedacted: boolean;
  mode: SubscriptionMode;
  isActive: boolean;
}): DeliveryState {
  return nextDeliveryState("none", createAction(input));
}

function createAction({
  isRedacted,
  mode,
  isActive,
}: Parameters<typeof initialDeliveryState>[0]): DeliveryAction {
  if (isRedacted) {
    return "createRedacted";
  }
  if (mode === "pull") {
    return "createAvailable";
  }
  return isActive ? "create" : "createPaused";
}

/** Classifies the result of an attempt. `status` is null if there was no answer. */
export function resultOf(status: number | null, failure: FailureClass | null): AttemptResult {
  const statusClass = status === null ? undefined : statusClasses[Math.floor(status / 100) - 1];
  return statusClass ?? failure ?? "other";
}

/** The states of a replay, and which deliveries it can select. */
export const replayStates = [
  "counting",
  "running",
  "paused",
  "done",
  "cancelled",
  "failed",
] as const;

export type ReplayState = (typeof replayStates)[number];

/**
 * The state of the newest delivery of each event. `never_attempted`: the event matches the webhook
 * now, but has no delivery.
 */
export const replayStatuses = [
  "dead",
  "delivered",
  "cancelled",
  "never_attempted",
] as const satisfies readonly (DeliveryState | "never_attempted")[];

export type ReplayStatus = (typeof replayStatuses)[number];
