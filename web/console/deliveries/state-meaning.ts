/** The meaning of a delivery state, for its colour and icon. */
import type { Meaning } from "../../components/meaning.ts";
import type { DeliveryState } from "../../../src/contracts/deliveries.ts";

const meanings: Record<DeliveryState, Meaning> = {
  pending: "waiting",
  queued: "waiting",
  sending: "waiting",
  retry: "warn",
  delivered: "good",
  dead: "bad",
  paused: "neutral",
  cancelled: "neutral",
  available: "good",
};

export function meaningOf(state: DeliveryState): Meaning {
  return meanings[state];
}
