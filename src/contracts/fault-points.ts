/**
 * Points at which a fault test may kill a process. Between any two of them an external state has
 * changed.
 */
export const faultNames = [
  "api.beforeCommit",
  "api.afterCommit",
  "relay.afterCommit",
  "delivery.afterClaim",
  "delivery.afterSend",
  "delivery.afterSettle",
  "tasks.afterClaim",
  "messages.afterSend",
  "media.afterRow",
  "media.afterStore",
] as const;
export type FaultName = (typeof faultNames)[number];

/** Called at each point; does nothing outside of fault tests. */
export type FaultPoint = (name: FaultName) => void;
