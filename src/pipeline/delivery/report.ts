import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AttemptReport } from "./handle.ts";
import type { SendResult } from "./send-types.ts";

export type ReportDeps = { log: Logger; metrics: Metrics; clock: Clock };

/** One wide log line and the metrics of an attempt. */
export function reportAttempt(
  { delivery, result, outcome, isTaken }: AttemptReport,
  { log, metrics, clock }: ReportDeps,
): void {
  const { object } = delivery;
  metrics.attempts.inc({ object, result: resultLabel(result) });
  metrics.attemptDuration.observe(result.durationMs / 1000);
  if (delivery.attempt === 1) {
    const latencyMs = clock.now().getTime() - delivery.occurredAt.getTime();
    metrics.deliveryLatency.observe(Math.max(0, latencyMs) / 1000);
  }
  if (isTaken && (outcome.kind === "delivered" || outcome.kind === "dead")) {
    metrics.deliveries.inc({ object, outcome: outcome.kind });
  }
  log.info(
    {
      delivery_id: delivery.deliveryId,
      webhook_id: delivery.messageId,
      subscription_id: delivery.subscriptionId,
      sequence: delivery.sequence,
      attempt: delivery.attempt,
      object,
      outcome: outcome.kind,
      is_taken: isTaken,
      ms: Math.round(result.durationMs),
      ...(result.kind === "answered" ? { status: result.status } : { failure: result.failure }),
    },
    "delivery.attempted",
  );
}

/** A status class (`2xx`) or a class of failure: a bounded set. */
function resultLabel(result: SendResult): string {
  return result.kind === "answered" ? `${Math.floor(result.status / 100)}xx` : result.failure;
}
