/**
 * In: retries to send earlier than planned. Out: the same rows due now, and open circuits to probe
 * at once.
 * Guarantee: creates no delivery; changes only `due_at` of rows in state `retry` and `probe_at` of
 * the subscription. So order, window, rate and `Retry-After` still hold, and a repeated request
 * changes nothing more.
 * On crash: the caller's transaction decides. The due pass enqueues what it committed.
 */
import { inFlightStates, type DeliveryState } from "../../contracts/deliveries.ts";
import { namedRowsOf, rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { laterAttemptsSql, statesSql } from "./state-sql.ts";
import { type Health, lockHealth } from "./health.ts";

/** A delivery that is due now, and the state of its subscription. */
export type ExpeditedRetry = { id: number; health: Health };

/** A delivery without a retry to expedite. `isActive`: of its subscription, if not deleted. */
export type UnretriedDelivery = {
  id: number;
  state: DeliveryState;
  isActive: boolean;
  waitsFor: number | null;
};

/** Retries of events since a time, as they were at the request. */
export type RetriesSince = { subscriptionId: number; since: Date; requestedAt: Date };

/** Not those attempted since the request: they failed again. */
const sinceSql = `d.subscription_id = :subscriptionId AND ${laterAttemptsSql} AND d.state = 'retry'
  AND d.event_at >= :since AND (d.queued_at IS NULL OR d.queued_at < :requestedAt)`;

/**
 * Before the other retries of its subscription: the earliest `due_at` of any. `now` would put it
 * after a whole backlog.
 */
const expediteSql = `
  WITH chosen AS MATERIALIZED (
    SELECT d.id, d.subscription_id
    FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id
    WHERE d.enterprise_id = :enterpriseId AND d.id = ANY(CAST(:ids AS bigint[]))
      AND d.state = 'retry' AND s.is_active
    ORDER BY d.id FOR UPDATE OF d
  ), front AS MATERIALIZED (
    SELECT owner.subscription_id, least(:now, (
      SELECT d.due_at FROM deliveries d
      WHERE d.subscription_id = owner.subscription_id AND ${laterAttemptsSql}
      ORDER BY d.due_at, d.sequence LIMIT 1)) AS due_at
    FROM (SELECT DISTINCT subscription_id FROM chosen) AS owner
  )
  UPDATE deliveries d SET due_at = least(d.due_at, front.due_at)
  FROM chosen JOIN front USING (subscription_id)
  WHERE d.id = chosen.id
  RETURNING d.id, d.subscription_id AS "subscriptionId"`;

/**
 * Makes these deliveries due and probes the open circuits among their subscriptions. Returns what
 * was done and the state of the others; unknown ids and those of other enterprises are left out.
 */
export async function retryNow(
  trx: Trx,
  { enterpriseId, ids, now }: { enterpriseId: number; ids: readonly number[]; now: Date },
): Promise<{ done: ExpeditedRetry[]; others: UnretriedDelivery[] }> {
  // Locked before the rows, as for every change of deliveries, so that concurrent settlements,
  // enqueues and switches are visible.
  const locked = await lockHealth(trx, await readSubscriptionIds(trx, enterpriseId, ids));
  const rows = await namedRowsOf<{ id: number; subscriptionId: number }>(trx, expediteSql, {
    enterpriseId,
    ids,
    now,
  });
  const done = rows.flatMap(({ id, subscriptionId }) => {
    const health = locked.get(subscriptionId);
    return health === undefined ? [] : [{ id, health }];
  });
  await probeNow(trx, [...new Set(done.map(({ health }) => health.subscriptionId))], now);
  const left = ids.filter((id) => !done.some((one) => one.id === id));
  return { done, others: await readOthers(trx, enterpriseId, left) };
}

/** The subscriptions of these deliveries, of one enterprise. */
async function readSubscriptionIds(
  db: Queryable,
  enterpriseId: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await rowsOf<{ subscription_id: number }>(
    db,
    "SELECT DISTINCT subscription_id FROM deliveries WHERE enterprise_id = ? AND id = ANY(?::bigint[])",
    [enterpriseId, ids],
  );
  return rows.map((row) => row.subscription_id);
}

/** Makes the next probe of open circuits due now. The caller holds their health locks. */
export async function probeNow(
  trx: Trx,
  subscriptionIds: readonly number[],
  now: Date,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE subscription_health SET probe_at = ?
     WHERE subscription_id = ANY(?::bigint[]) AND probe_at > ?`,
    [now, subscriptionIds, now],
  );
}

async function readOthers(
  trx: Trx,
  enterpriseId: number,
  ids: readonly number[],
): Promise<UnretriedDelivery[]> {
  return rowsOf<UnretriedDelivery>(
    trx,
    `SELECT d.id, d.state, s.is_active AS "isActive", d.waits_for AS "waitsFor"
     FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id
     WHERE d.enterprise_id = ? AND d.id = ANY(?::bigint[]) AND s.deleted_at IS NULL`,
    [enterpriseId, ids],
  );
}

/**
 * Provides a delivery for a probe: one that is due, else the next retry, made due now. False if
 * nothing is left to send. The caller holds the health lock.
 */
export async function prepareProbe(trx: Trx, subscriptionId: number, now: Date): Promise<boolean> {
  const rows = await namedRowsOf<{ id: number }>(
    trx,
    `WITH next AS MATERIALIZED (
       SELECT d.id FROM deliveries d
       WHERE d.subscription_id = :subscriptionId AND ${laterAttemptsSql}
       ORDER BY d.due_at, d.sequence LIMIT 1 FOR UPDATE
     ), moved AS (
       UPDATE deliveries d SET due_at = :now FROM next WHERE d.id = next.id AND d.due_at > :now
     )
     SELECT id FROM next
     UNION ALL
     (SELECT d.id FROM deliveries d
      WHERE d.subscription_id = :subscriptionId
        AND d.state IN ${statesSql(["pending", ...inFlightStates])} LIMIT 1)`,
    { subscriptionId, now },
  );
  return rows.length > 0;
}

/** Expedites at most `limit` retries. The caller holds the health lock. */
export async function expediteRetriesSince(
  trx: Trx,
  retries: RetriesSince,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const rows = await namedRowsOf<{ id: number }>(
    trx,
    `WITH chosen AS MATERIALIZED (
       SELECT d.id FROM deliveries d WHERE ${sinceSql} AND d.due_at > :now
       ORDER BY d.due_at, d.sequence LIMIT :limit FOR UPDATE SKIP LOCKED
     )
     UPDATE deliveries d SET due_at = :now FROM chosen WHERE d.id = chosen.id RETURNING d.id`,
    { ...retries, now, limit },
  );
  return rows.length;
}

/** Counts such retries, due or not, up to `limit`. */
export async function countRetriesSince(
  db: Queryable,
  retries: RetriesSince,
  limit: number,
): Promise<number> {
  const [row] = await namedRowsOf<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM deliveries d WHERE ${sinceSql}
       ORDER BY d.due_at, d.sequence LIMIT :limit) AS found`,
    { ...retries, limit },
  );
  return row?.count ?? 0;
}
