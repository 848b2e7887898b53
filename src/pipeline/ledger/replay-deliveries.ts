/**
 * In: past events to deliver to one subscription, or a replay to cancel. Out: new deliveries with
 * the next sequences; or the unsent deliveries cancelled.
 * Guarantee: sequences stay contiguous, because they are assigned under the health lock and raised
 * by the number of inserted rows. A replay contains an event once. No delivery overtakes its
 * predecessor.
 * On crash: the caller's transaction decides. The due pass enqueues what it committed.
 */
import { initialDeliveryState, liveStates } from "../../contracts/deliveries.ts";
import { namedRowsOf, rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { lockHealth } from "./health.ts";
import { predecessorWithoutSql, readReplayPredecessors } from "./predecessors.ts";
import { allowsSql, liveStatesSql, moveSql, statesSql } from "./state-sql.ts";

/** The state of a subscription that replay deliveries depend on. */
export type DeliveryTarget = {
  enterpriseId: number;
  subscriptionId: number;
  mode: "push" | "pull";
  isActive: boolean;
  isOrdered: boolean;
  lastSequence: number;
};

/** An event to deliver, and the delivery that this one repeats, if any. */
export type ReplayEvent = {
  eventRowId: number;
  eventAt: Date;
  object: string;
  key: string;
  replayOf: number | null;
};

export type ReplayDelivery = { id: number; sequence: number; eventRowId: number };

/** The progress of a replay's deliveries. */
export type ReplayProgress = {
  dead: number;
  cancelled: number;
  /** Live deliveries. */
  waiting: number;
  /**
   * How many of the newest deliveries of the subscription belong to the replay and to the last
   * minute, and since when.
   */
  recent: number;
  recentSince: Date | null;
};

export type ReplayProgressRow = {
  dead: number;
  cancelled: number;
  waiting: number;
  recent: number;
  recent_since: Date | null;
};

/** The speed is measured among this many of the newest deliveries, to bound the query. */
const maxRecent = 20_000;

export const replayProgressColumns =
  "ended.dead, ended.cancelled, ended.waiting, speed.recent, speed.recent_since";

/**
 * Joins for the row `r` of `replays`. The binding is the time since which deliveries count as
 * recent. Deliveries of a replay have sequences above those it found, so the indexes are scanned
 * from there. The speed is computed only while the replay is running.
 */
export const replayProgressSql = `
  CROSS JOIN LATERAL (
    SELECT
      (SELECT count(*) FROM deliveries d WHERE d.subscription_id = r.subscription_id
         AND d.state = 'dead' AND d.sequence > r.last_sequence AND d.replay_id = r.id) AS dead,
      (SELECT count(*) FROM deliveries d WHERE d.subscription_id = r.subscription_id
         AND d.state = 'cancelled' AND d.sequence > r.last_sequence
         AND d.replay_id = r.id) AS cancelled,
      (SELECT count(*) FROM deliveries d WHERE d.replay_id = r.id
         AND d.state IN ${liveStatesSql}) AS waiting
  ) AS ended
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE n.replay_id = r.id AND n.created_at > ?) AS recent,
      CASE WHEN count(*) = ${maxRecent} THEN min(n.created_at) END AS recent_since
    FROM (
      SELECT d.replay_id, d.created_at FROM deliveries d
      WHERE r.state = 'running' AND d.subscription_id = r.subscription_id
        AND d.sequence > r.last_sequence
      ORDER BY d.sequence DESC LIMIT ${maxRecent}) AS n
  ) AS speed`;

/**
 * The same under the health lock, held until the transaction ends: until then, sequences and the
 * switch of the subscription cannot change.
 */
export async function lockDeliveryTarget(
  trx: Trx,
  enterpriseId: number,
  subscriptionId: number,
): Promise<DeliveryTarget | undefined> {
  await lockHealth(trx, [subscriptionId]);
  return readDeliveryTarget(trx, enterpriseId, subscriptionId);
}

type DeliveryTargetRow = {
  mode: DeliveryTarget["mode"];
  is_active: boolean;
  is_ordered: boolean;
  last_sequence: number;
};

/** The current state of the subscription; undefined if the enterprise has none, or deleted it. */
export async function readDeliveryTarget(
  db: Queryable,
  enterpriseId: number,
  subscriptionId: number,
): Promise<DeliveryTarget | undefined> {
  const [row] = await rowsOf<DeliveryTargetRow>(
    db,
    `SELECT s.mode, s.is_active, s.is_ordered, h.last_sequence
     FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
     WHERE s.enterprise_id = ? AND s.id = ? AND s.deleted_at IS NULL`,
    [enterpriseId, subscriptionId],
  );
  return (
    row && {
      enterpriseId,
      subscriptionId,
      mode: row.mode,
      isActive: row.is_active,
      isOrdered: row.is_ordered,
      lastSequence: row.last_sequence,
    }
  );
}

const insertSql = `
  WITH written AS (
    INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
      key, state, due_at, created_at, waits_for, replay_id, replay_of)
    SELECT :enterpriseId, :subscriptionId, p.sequence, p.event_row_id, p.event_at, p.object, p.key,
      :state, :now, :now, p.waits_for, :replayId, p.replay_of
    FROM json_to_recordset(CAST(:planned AS json)) AS p(sequence bigint, event_row_id bigint,
      event_at timestamptz, object text, key text, waits_for bigint, replay_of bigint)
    ORDER BY p.sequence
    RETURNING id, sequence, event_row_id
  ), counted AS (
    UPDATE subscription_health SET last_sequence = :last WHERE subscription_id = :subscriptionId
  )
  SELECT id, sequence, event_row_id AS "eventRowId" FROM written ORDER BY sequence`;

/** The replay that deliveries are made for; `lastSequence`: the last one before its request. */
type OwningReplay = { replayId: number; lastSequence: number; now: Date };

/**
 * Creates a delivery for each event that neither the replay nor, since its request, another one has
 * delivered or is delivering, in the order of events. The caller got `target` from
 * `lockDeliveryTarget` in this transaction. The due pass enqueues them.
 */
export async function createReplayDeliveries(
  trx: Trx,
  target: DeliveryTarget,
  { now, ...replay }: OwningReplay,
  events: readonly ReplayEvent[],
): Promise<ReplayDelivery[]> {
  const fresh = await excludeExisting(trx, { ...target, ...replay }, events);
  if (fresh.length === 0) {
    return [];
  }
  const newest = await readReplayPredecessors(trx, target, [
    ...new Set(fresh.map(({ key }) => key)),
  ]);
  const planned = fresh.map((event, index) => {
    const sequence = target.lastSequence + index + 1;
    const waitsFor = newest.get(event.key) ?? null;
    newest.set(event.key, sequence);
    return {
      sequence,
      event_row_id: event.eventRowId,
      event_at: event.eventAt,
      object: event.object,
      key: event.key,
      waits_for: waitsFor,
      replay_of: event.replayOf,
    };
  });
  return namedRowsOf<ReplayDelivery>(trx, insertSql, {
    enterpriseId: target.enterpriseId,
    subscriptionId: target.subscriptionId,
    state: initialDeliveryState({ ...target, isRedacted: false }),
    now,
    replayId: replay.replayId,
    planned: JSON.stringify(planned),
    last: target.lastSequence + planned.length,
  });
}

/**
 * Makes a repeated step idempotent, even if its progress was lost; and leaves to another replay what
 * it took over. The walk ignores the deliveries after the request, so that it always finds the same.
 */
async function excludeExisting(
  trx: Trx,
  scope: { replayId: number; lastSequence: number; subscriptionId: number },
  events: readonly ReplayEvent[],
): Promise<ReplayEvent[]> {
  const distinct = new Map(events.map((event) => [event.eventRowId, event]));
  const rows = await namedRowsOf<{ event_row_id: number }>(
    trx,
    `SELECT event_row_id FROM deliveries
     WHERE event_row_id = ANY(CAST(:events AS bigint[])) AND subscription_id = :subscriptionId
       AND replay_id IS NOT NULL AND (replay_id = :replayId
         OR (sequence > :lastSequence AND (state = 'delivered' OR state IN ${liveStatesSql})))`,
    { ...scope, events: [...distinct.keys()] },
  );
  rows.forEach(({ event_row_id }) => distinct.delete(event_row_id));
  return [...distinct.values()].toSorted((a, b) => a.eventRowId - b.eventRowId);
}

const unattemptedSql = statesSql(liveStates.filter((state) => state !== "retry"));

/**
 * Unattempted or in-flight deliveries of a replay. Retries are not counted, because they may wait
 * for days.
 */
export async function countUnattempted(db: Queryable, replayId: number): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM deliveries
     WHERE replay_id = ? AND state IN ${unattemptedSql}`,
    [replayId],
  );
  return row?.count ?? 0;
}

/**
 * The successor of a cancelled delivery then waits for the newest live delivery of its object
 * before that one, or for none.
 */
const cancelReplaySql = `
  WITH chosen AS MATERIALIZED (
    SELECT id, sequence FROM deliveries
    WHERE replay_id = :replayId AND ${allowsSql("cancel", "state")}
    ORDER BY sequence LIMIT :limit FOR UPDATE SKIP LOCKED
  ), moved AS (
    UPDATE deliveries d
    SET ${moveSql("cancel")}, end_reason = 'replay_cancelled', generation = d.generation + 1,
      ended_at = :now, waits_for = NULL, queued_at = NULL, lease_until = NULL
    WHERE d.id IN (SELECT id FROM chosen)
    RETURNING d.id
  ), released AS (
    UPDATE deliveries next
    SET waits_for = ${predecessorWithoutSql({ isOrdered: ":isOrdered", ended: "SELECT id FROM chosen" })}
    FROM chosen
    WHERE next.subscription_id = :subscriptionId AND next.waits_for = chosen.sequence
      AND next.id NOT IN (SELECT id FROM chosen)
  )
  SELECT (SELECT count(*) FROM moved) AS cancelled,
    EXISTS (SELECT 1 FROM deliveries WHERE replay_id = :replayId AND state IN ${liveStatesSql}
      AND id NOT IN (SELECT id FROM chosen)) AS "isMore"`;

/**
 * Cancels at most `limit` unsent deliveries of a replay, and releases their successors. Returns
 * whether a live one is left: its request may be in flight, and fail. The caller holds the health
 * lock of the subscription.
 */
export async function cancelReplayDeliveries(
  trx: Trx,
  { subscriptionId, isOrdered }: Pick<DeliveryTarget, "subscriptionId" | "isOrdered">,
  { replayId, now, limit }: { replayId: number; now: Date; limit: number },
): Promise<{ cancelled: number; isMore: boolean }> {
  const bindings = { replayId, subscriptionId, isOrdered, now, limit };
  const rows = await namedRowsOf<{ cancelled: number; isMore: boolean }>(
    trx,
    cancelReplaySql,
    bindings,
  );
  return rows[0] ?? { cancelled: 0, isMore: false };
}

export function toReplayProgress(row: ReplayProgressRow): ReplayProgress {
  return {
    dead: row.dead,
    cancelled: row.cancelled,
    waiting: row.waiting,
    recent: row.recent,
    recentSince: row.recent_since,
  };
}
