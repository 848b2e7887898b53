/** Why a delivery is not retried at once. Pure. */
import type { UnretriedDelivery } from "../../pipeline/ledger/retry-now.ts";

/** Deliveries of one request. */
export const maxRetried = 500;

export const refusalReasons = [
  "not_found",
  "in_flight",
  "due",
  "waits",
  "webhook_off",
  "ended",
  "pulled",
] as const;

export type RetryRefusalReason = (typeof refusalReasons)[number];

export type RetryRefusal = { id: number; reason: RetryRefusalReason; detail: string };

export function unknownDelivery(id: number): RetryRefusal {
  return {
    id,
    reason: "not_found",
    detail: `Delivery ${id} was not found.`,
  };
}

/** What stands in the way of a delivery that has no retry to bring forward. */
export function retryRefusalOf(found: UnretriedDelivery): RetryRefusal {
  const { id, state, isActive } = found;
  switch (state) {
    case "queued":
    case "sending":
      return inFlight(id);
    case "delivered":
    case "dead":
    case "cancelled":
      return { id, reason: "ended", detail: `Delivery ${id} is ${state}: replay it instead.` };
    case "available":
      return { id, reason: "pulled", detail: `Delivery ${id} is pulled by its receiver.` };
    default:
      return state === "paused" || !isActive ? off(id) : pending(found);
  }
}

function inFlight(id: number): RetryRefusal {
  return {
    id,
    reason: "in_flight",
    detail: `Delivery ${id} is being sent.`,
  };
}

function off(id: number): RetryRefusal {
  return {
    id,
    reason: "webhook_off",
    detail: `The webhook of delivery ${id} is off: switch it on, and the delivery goes on.`,
  };
}

function pending({ id, waitsFor }: UnretriedDelivery): RetryRefusal {
  return waitsFor === null
    ? { id, reason: "due", detail: `Delivery ${id} is due already.` }
    : {
        id,
        reason: "waits",
        detail: `Delivery ${id} waits for the delivery with the sequence ${waitsFor} of its object.`,
      };
}
