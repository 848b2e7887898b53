/** Where a fault test may kill a process. Between any two of them the outside world has changed. */
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

/** Called at each of these points; does nothing but in a fault test. */
export type FaultPoint = (name: FaultName) => void;

/** Kills this process, without any chance to clean up, the first time it passes `faultAt`. */
export function createFaultPoint(faultAt: string | undefined): FaultPoint {
  return (name) => {
    if (name === faultAt) {
      process.kill(process.pid, "SIGKILL");
    }
  };
}
