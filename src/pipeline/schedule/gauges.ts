/**
 * In: tables and queues. Out: the gauges that operators watch.
 * Guarantee: read only; each query is bounded, whatever the size of the backlog.
 * On crash: the next process sets the gauges.
 */
import { objectKinds } from "../../contracts/events.ts";
import { subscriptionStates } from "../../contracts/platform-state.ts";
import { deliverQueueName } from "../../contracts/jobs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import {
  readOutbox,
  readPastDue,
  readSubscriptionCounts,
  readWindows,
} from "../ledger/queries/metrics-queries.ts";

export type GaugeDeps = {
  db: Db;
  queue: Pick<JobQueue, "counts">;
  clock: Clock;
  metrics: Metrics;
};

/** Sets every gauge. One that cannot be read keeps its value and does not stop the others. */
export async function updateGauges(deps: GaugeDeps): Promise<void> {
  const parts = [
    updateOutboxGauges,
    updatePastDueGauge,
    updateSubscriptionGauges,
    updateWindowGauges,
    updateQueueGauges,
  ];
  const results = await Promise.allSettled(parts.map((part) => part(deps)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    throw failed.reason;
  }
}

async function updateOutboxGauges({ db, clock, metrics }: GaugeDeps): Promise<void> {
  const { rows, deadLetters, oldest } = await readOutbox(db);
  metrics.outboxRows.set(rows);
  metrics.outboxDead.set(deadLetters);
  metrics.outboxOldest.set(ageSeconds(oldest, clock.now()));
}

async function updatePastDueGauge({ db, clock, metrics }: GaugeDeps): Promise<void> {
  const now = clock.now();
  metrics.pastDue.set(ageSeconds(await readPastDue(db, now), now));
}

function ageSeconds(since: Date | null, now: Date): number {
  return since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1000);
}

async function updateSubscriptionGauges({ db, clock, metrics }: GaugeDeps): Promise<void> {
  const counts = await readSubscriptionCounts(db, clock.now());
  subscriptionStates.forEach((state) => {
    metrics.subscriptions.set({ state }, counts[state]);
  });
}

async function updateWindowGauges({ db, metrics }: GaugeDeps): Promise<void> {
  const { allowed, inFlight } = await readWindows(db);
  metrics.concurrencyWindow.set({ state: "allowed" }, allowed);
  metrics.concurrencyWindow.set({ state: "in_flight" }, inFlight);
}

async function updateQueueGauges({ queue, metrics }: GaugeDeps): Promise<void> {
  await Promise.all(
    objectKinds.map(async (object) => {
      const counts = await queue.counts(object);
      for (const [state, count] of Object.entries(counts)) {
        metrics.queueJobs.set({ queue: deliverQueueName(object), state }, count);
      }
    }),
  );
}
