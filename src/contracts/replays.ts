/** The states of a replay, and which deliveries it can select. */
import type { DeliveryState } from "./deliveries.ts";

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
