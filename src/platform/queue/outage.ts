import type { Logger } from "../logger.ts";

/** Tells of an outage of several queues twice: when it begins, and when the last one is back. */
export type Outage = {
  began(queue: string, reason: Error): void;
  ended(queue: string): void;
};

/** `what` starts the names of both log lines. */
export function createOutage(log: Logger, what: string): Outage {
  const away = new Set<string>();
  return {
    began: (queue, { message }) => {
      if (away.size === 0) {
        log.warn({ queue, reason: message }, `${what}_away`);
      }
      away.add(queue);
    },
    ended: (queue) => {
      if (away.delete(queue) && away.size === 0) {
        log.info({ queue }, `${what}_back`);
      }
    },
  };
}
