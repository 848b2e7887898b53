/**
 * In: subscriptions that were switched on or off, or fail for days. Out: their deliveries in the
 * state that follows, in batches; hopeless subscriptions off; old paused deliveries ended.
 * Guarantee: only states and leftovers are moved here; requests stop at the claim, at once.
 * On crash: the next pass goes on.
 */
import type { Clock } from "../../platform/clock.ts";
import { rowsOf, type Db } from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";
import { listUnsettledBacklogs, moveBacklog } from "../ledger/pause.ts";
import { switchOff } from "../ledger/switch-off.ts";

export type BacklogDeps = { db: Db; clock: Clock; log: Logger };

const batchSize = 5_000;
const hourMs = 3_600_000;
const warnAfterMs = 24 * hourMs;
const switchOffAfterMs = 120 * hourMs;
const keepPausedMs = 7 * 24 * hourMs;

/** Moves one batch for each subscription whose deliveries do not follow its switch yet. */
export const moveBacklogs = async ({ db }: BacklogDeps): Promise<number> => {
  let moved = 0;
  for (const { subscriptionId, move } of await listUnsettledBacklogs(db)) {
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    moved += await moveBacklog[move](db, subscriptionId, batchSize);
  }
  return moved;
};

/** Warns once about subscriptions that only fail, and switches off those that do for 120 h. */
export const judgeFailing = async ({ db, clock, log }: BacklogDeps): Promise<void> => {
  const now = clock.now().getTime();
  const warned = await rowsOf<{ subscription_id: number; failing_since: Date }>(
    db,
    `UPDATE subscription_health h SET warned_at = ?
     FROM subscriptions s
     WHERE s.id = h.subscription_id AND s.is_active AND h.failing_since <= ?
       AND (h.warned_at IS NULL OR h.warned_at < h.failing_since)
     RETURNING h.subscription_id, h.failing_since`,
    [new Date(now), new Date(now - warnAfterMs)],
  );
  for (const { subscription_id, failing_since } of warned) {
    log.warn({ subscription_id, failing_since }, "subscription.failing");
  }
  const hopeless = await rowsOf<{ id: number }>(
    db,
    `SELECT s.id FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
     WHERE s.is_active AND h.failing_since <= ?`,
    [new Date(now - switchOffAfterMs)],
  );
  for (const { id } of hopeless) {
    // oxlint-disable-next-line no-await-in-loop -- rare, and each in a transaction of its own
    await switchOff(db, id, "failing", log);
  }
};

/** Ends paused deliveries of subscriptions that have been off for 7 days. */
export const endOldPaused = async ({ db, clock }: BacklogDeps): Promise<number> => {
  const now = clock.now();
  const rows = await rowsOf(
    db,
    `WITH off AS MATERIALIZED (
       SELECT s.id FROM subscriptions s
       WHERE NOT s.is_active AND (
         SELECT min(r.valid_from) FROM subscription_revisions r
         WHERE r.subscription_id = s.id AND r.revision > (
           SELECT coalesce(max(a.revision), 0) FROM subscription_revisions a
           WHERE a.subscription_id = s.id AND a.is_active)) < ?
     ), old AS (
       SELECT d.id FROM deliveries d
       WHERE d.state = 'paused' AND d.subscription_id IN (SELECT id FROM off)
       LIMIT ? FOR UPDATE SKIP LOCKED
     )
     UPDATE deliveries d SET state = 'cancelled', ended_at = ?, waits_for = NULL
     FROM old WHERE d.id = old.id RETURNING d.id`,
    [new Date(now.getTime() - keepPausedMs), batchSize, now],
  );
  return rows.length;
};
