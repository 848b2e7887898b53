/**
 * The state machine of a delivery, and how its attempts can end: pure data and a few functions.
 *
 *   ∅ ──create──► pending      ∅ ──createPaused──► paused
 *   ∅ ──createAvailable──► available      ∅ ──createRedacted──► cancelled
 *   pending, retry ──enqueue──► queued ──claim──► sending
 *   queued ──requeue──► pending | retry      sending ──expireLease──► pending | retry
 *   sending ──succeed──► delivered      sending ──fail──► retry      sending ──giveUp──► dead
 *   pending, retry, queued ──pause──► paused ──resume──► pending | retry
 *   pending, retry, queued, paused ──cancel──► cancelled      all of these, sending ──redact──► cancelled
 *
 * `pending | retry`: pending before the first attempt has ended, retry after it. What the table does
 * not name is refused. The SQL of the moves is made from the same table: pipeline/ledger/state-sql.ts.
 */
import type { SubscriptionMode } from "./subscriptions.ts";

export const deliveryStates = [
  "pending",
  "queued",
  "sending",
  "delivered",
  "retry",
  "dead",
  "paused",
  "cancelled",
  "available",
] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** Not ended: the delivery may still be sent, so its event is kept, whatever its age. */
export const liveStates: readonly DeliveryState[] = [
  "pending",
  "queued",
  "sending",
  "retry",
  "paused",
];

/** Counts against the concurrency window of its subscription. */
export const inFlightStates: readonly DeliveryState[] = ["queued", "sending"];

/** Never changes again. */
export const endedStates: readonly DeliveryState[] = [
  "delivered",
  "dead",
  "cancelled",
  "available",
];

/** Ended, and its receiver never got it. */
export const failedStates: readonly DeliveryState[] = ["dead", "cancelled"];

/** Has a time for its next attempt. */
export const scheduledStates: readonly DeliveryState[] = ["pending", "queued", "retry"];

/** Waits for its first attempt, or for another one. */
export type WaitingState = "pending" | "retry";

/** What an attempt makes of its delivery. */
export type AttemptedState = "delivered" | "retry" | "dead";

/** `none`: before the delivery is there. */
export type DeliveryLifecycleState = DeliveryState | "none";

/** `waiting`: `pending` or `retry`, by the number of attempts that have ended. */
type DeliveryTransition = {
  from: readonly DeliveryLifecycleState[];
  to: DeliveryState | "waiting";
};

/** Every move of a delivery. */
export const deliveryTransitions = {
  create: { from: ["none"], to: "pending" },
  /** The subscription is off. */
  createPaused: { from: ["none"], to: "paused" },
  /** The receiver pulls: nothing is sent. */
  createAvailable: { from: ["none"], to: "available" },
  /** The content of the event was removed before it was fanned out. */
  createRedacted: { from: ["none"], to: "cancelled" },
  enqueue: { from: ["pending", "retry"], to: "queued" },
  claim: { from: ["queued"], to: "sending" },
  /** The job was lost, or the receiver asked for time. */
  requeue: { from: ["queued"], to: "waiting" },
  /** The worker that sent it is gone. */
  expireLease: { from: ["sending"], to: "waiting" },
  succeed: { from: ["sending"], to: "delivered" },
  fail: { from: ["sending"], to: "retry" },
  /** The last attempt of the schedule failed. */
  giveUp: { from: ["sending"], to: "dead" },
  pause: { from: ["pending", "retry", "queued"], to: "paused" },
  resume: { from: ["paused"], to: "waiting" },
  /** What is being sent is left to its worker: only `redact` takes that away from it. */
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

/** Why there was no answer. Stable words: metric labels, and kept with the attempts. */
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
  /** The result is unknown: it could not be written. Says nothing about the receiver. */
  "interrupted",
  "other",
] as const;

export type FailureClass = (typeof failureClasses)[number];

export const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

/** How an attempt can end: the class of a status, or why there was no answer. */
export const attemptResults = [...statusClasses, ...failureClasses] as const;

export type AttemptResult = (typeof attemptResults)[number];

/** The only result that is none of a failure. */
export const successResult = "2xx" satisfies AttemptResult;

/** Where a move leads. Throws where the state does not allow it. */
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

/** The state of a delivery that waits, by the number of attempts that have ended. */
export function waitingState(attempts: number): WaitingState {
  return attempts === 0 ? "pending" : "retry";
}

/** How a delivery begins. */
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

/** The result of an attempt, as one of few words. `status` is null where there was no answer. */
export function resultOf(status: number | null, failure: FailureClass | null): AttemptResult {
  const statusClass = status === null ? undefined : statusClasses[Math.floor(status / 100) - 1];
  return statusClass ?? failure ?? "other";
}
