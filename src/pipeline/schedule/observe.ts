/**
 * In: the tables and queues. Out: the gauges that operators watch.
 * Guarantee: reads only, each bounded, none of them longer because a backlog is large.
 * On crash: the gauges are those of the next process that looks.
 */
import { objectKinds } from "../../contracts/events.ts";
import { deliverQueueName } from "../../contracts/jobs.ts";
import type { Clock } from "../../platform/clock.ts";
import { rowsOf, type Db } from "../../platform/db/pool.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { HintQueue } from "../../platform/queue/hint-queue.ts";
import { firstTries, laterTries } from "../ledger/due-rows.ts";

export type ObserveDeps = {
  db: Db;
  queue: Pick<HintQueue, "counts">;
  clock: Clock;
  metrics: Metrics;
};

/** Counted up to here: an exact number of millions would cost more than it tells. */
const mostCounted = 100_000;

const ageSeconds = (since: Date | null | undefined, now: Date): number =>
  since === null || since === undefined ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1000);

const observeOutbox = async ({ db, clock, metrics }: ObserveDeps): Promise<void> => {
  const [row] = await rowsOf<{ rows: number; aside: number; oldest: Date | null }>(
    db,
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT ?) AS counted) AS rows,
       (SELECT count(*) FROM outbox_dead) AS aside,
       (SELECT occurred_at FROM outbox ORDER BY event_id LIMIT 1) AS oldest`,
    [mostCounted],
  );
  metrics.outboxRows.set(row?.rows ?? 0);
  metrics.outboxSetAside.set(row?.aside ?? 0);
  metrics.outboxOldest.set(ageSeconds(row?.oldest, clock.now()));
};

/**
 * Since when the oldest delivery should have been tried. One of a receiver that fails or asked for
 * patience is not late before the next probe, or the end of that: its outage is not ours.
 */
const observePastDue = async ({ db, clock, metrics }: ObserveDeps): Promise<void> => {
  const now = clock.now();
  const [row] = await rowsOf<{ oldest: Date | null }>(
    db,
    `SELECT min(greatest(oldest.due_at, h.throttled_until, h.probe_at)) AS oldest
     FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id,
     LATERAL (
       (SELECT d.due_at FROM deliveries d
        WHERE d.subscription_id = s.id AND ${firstTries}
        ORDER BY d.due_at LIMIT 1)
       UNION ALL
       (SELECT d.due_at FROM deliveries d
        WHERE d.subscription_id = s.id AND ${laterTries}
        ORDER BY d.due_at LIMIT 1)
       UNION ALL
       (SELECT min(d.due_at) FROM deliveries d
        WHERE d.subscription_id = s.id AND d.state IN ('queued', 'sending'))
     ) AS oldest
     WHERE s.is_active AND (h.throttled_until IS NULL OR h.throttled_until <= ?)
       AND (h.probe_at IS NULL OR h.probe_at <= ?) AND oldest.due_at <= ?`,
    [now, now, now],
  );
  metrics.pastDue.set(ageSeconds(row?.oldest, now));
};

const subscriptionStates = ["active", "failing", "throttled", "open", "off"] as const;

const observeSubscriptions = async ({ db, clock, metrics }: ObserveDeps): Promise<void> => {
  const rows = await rowsOf<{ state: string; count: number }>(
    db,
    `SELECT CASE WHEN NOT s.is_active THEN 'off' WHEN h.throttled_until > ? THEN 'throttled'
         WHEN h.probe_at IS NOT NULL THEN 'open'
         WHEN h.failing_since IS NOT NULL THEN 'failing' ELSE 'active' END AS state,
       count(*) AS count
     FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
     WHERE s.deleted_at IS NULL GROUP BY 1`,
    [clock.now()],
  );
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  subscriptionStates.forEach((state) => {
    metrics.subscriptions.set({ state }, counts.get(state) ?? 0);
  });
};

/** Windows and what is in flight, summed: a window of one subscription is in the API. */
const observeWindows = async ({ db, metrics }: ObserveDeps): Promise<void> => {
  const [row] = await rowsOf<{ allowed: number | null; in_flight: number }>(
    db,
    `SELECT
       (SELECT CAST(sum(floor(h.window_size)) AS bigint) FROM subscription_health h
        JOIN subscriptions s ON s.id = h.subscription_id WHERE s.is_active) AS allowed,
       (SELECT count(*) FROM deliveries d WHERE d.state IN ('queued', 'sending')) AS in_flight`,
  );
  metrics.window.set({ state: "allowed" }, row?.allowed ?? 0);
  metrics.window.set({ state: "in_flight" }, row?.in_flight ?? 0);
};

const observeQueues = async ({ queue, metrics }: ObserveDeps): Promise<void> => {
  await Promise.all(
    objectKinds.map(async (object) => {
      const counts = await queue.counts(object);
      for (const [state, count] of Object.entries(counts)) {
        metrics.queueJobs.set({ queue: deliverQueueName(object), state }, count);
      }
    }),
  );
};

/** Sets every gauge. A part that cannot be read keeps its last value and does not stop the others. */
export const observe = async (deps: ObserveDeps): Promise<void> => {
  const parts = [
    observeOutbox,
    observePastDue,
    observeSubscriptions,
    observeWindows,
    observeQueues,
  ];
  const results = await Promise.allSettled(parts.map((part) => part(deps)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    throw failed.reason;
  }
};
