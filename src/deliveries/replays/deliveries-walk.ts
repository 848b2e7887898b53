/**
 * The deliveries that a subscription had, by their sequences. The newest delivery of an event speaks
 * for it, so a walk meets an event once; what ended after the replay was asked for does not count.
 */
import { failedStates } from "../../contracts/deliveries.ts";
import { namedRowsOf, rowsOf, type Queryable } from "../../platform/db/pool.ts";
import {
  nextOf,
  toReplayCandidate,
  type ReplayChunk,
  type ChunkLimits,
  type ReplayCandidateRow,
  type ReplayScope,
} from "./chunk.ts";
import type { WalkPosition } from "./model.ts";

/** The next part, and where to go on: with `after` where all was read. */
export async function readDeliveryChunk(
  db: Queryable,
  scope: ReplayScope,
  { place, after }: { place: WalkPosition; after: WalkPosition },
  limits: ChunkLimits,
): Promise<ReplayChunk> {
  const { since, until, object, eventType, result, isUndelivered } = scope.criteria;
  const statuses = scope.criteria.statuses.filter((status) => status !== "never_attempted");
  const isWholeWalk = place.position === 0 && statuses.includes("delivered");
  const from = isWholeWalk ? await skipTo(db, scope) : place.position;
  const rows = await namedRowsOf<ReplayCandidateRow>(db, deliveriesSql(statuses), {
    ...limits,
    subscriptionId: scope.subscriptionId,
    after: from,
    last: scope.lastSequence,
    asked: scope.created,
    statuses,
    ...{ since, until, object, eventType, result, isUndelivered },
  });
  const matched = rows.filter(({ cursor }) => cursor !== null);
  const { looked = 0, last = null } = rows[0] ?? {};
  const next = nextOf(
    place,
    {
      looked: looked === limits.looked,
      last: last ?? 0,
      cut: matched.length === limits.taken ? (matched.at(-1)?.cursor ?? 0) : undefined,
    },
    after,
  );
  return { found: matched.map(toReplayCandidate), next };
}

/** Deliveries are made after their events: how much the clocks of processes may differ. */
const skewMs = 600_000;

/** A sequence before which every delivery was made long before the period. A few index probes. */
async function skipTo(db: Queryable, scope: ReplayScope): Promise<number> {
  const { since } = scope.criteria;
  let [low, high] = [0, since === null ? 0 : scope.lastSequence];
  const early = (since?.getTime() ?? 0) - skewMs;
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2);
    const [row] = await rowsOf<{ created_at: Date }>(
      db,
      `SELECT created_at FROM deliveries WHERE subscription_id = ? AND sequence >= ?
       ORDER BY sequence LIMIT 1`,
      [scope.subscriptionId, middle],
    );
    if (row !== undefined && row.created_at.getTime() < early) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

function deliveriesSql(statuses: readonly string[]): string {
  return `
  WITH looked AS MATERIALIZED (
    SELECT * FROM (${scansSql(statuses)}) AS rows ORDER BY sequence LIMIT :looked
  ), matched AS (
    SELECT d.sequence AS cursor, d.event_id, d.event_at, d.object, d.key, d.id AS replay_of,
      e.message_id, e.message_id IS NOT NULL AND e.expunged_at IS NULL AS is_kept
    FROM looked d
    LEFT JOIN LATERAL (
      SELECT message_id, event_type, expunged_at FROM events
      WHERE id = d.event_id AND occurred_at = d.event_at LIMIT 1) AS e ON true
    WHERE d.state = ANY(CAST(:statuses AS text[])) AND d.ended_at <= :asked
      AND (CAST(:since AS timestamptz) IS NULL OR d.event_at >= :since)
      AND (CAST(:until AS timestamptz) IS NULL OR d.event_at < :until)
      AND (CAST(:object AS text) IS NULL OR d.object = :object)
      AND (CAST(:result AS text) IS NULL OR d.last_result = :result)
      AND (CAST(:eventType AS text) IS NULL OR e.event_type = :eventType)
      -- The newest delivery of its event speaks for it.
      AND NOT EXISTS (
        SELECT 1 FROM deliveries newer
        WHERE newer.event_id = d.event_id AND newer.subscription_id = :subscriptionId
          AND newer.replay_id IS NOT NULL AND newer.sequence > d.sequence
          AND newer.sequence <= :last)
      AND (NOT :isUndelivered OR NOT (${wasDeliveredSql("IS NULL")} OR ${wasDeliveredSql("IS NOT NULL")}))
    ORDER BY d.sequence LIMIT :taken
  )
  SELECT reach.*, matched.*
  FROM (SELECT count(*) AS looked, max(sequence) AS last FROM looked) AS reach
  LEFT JOIN matched ON true ORDER BY matched.cursor`;
}

/** What was given up is rare, and has an index of its own: its states stand in the text. */
function scansSql(statuses: readonly string[]): string {
  const own = failedStates.filter((state) => statuses.includes(state));
  return statuses.includes("delivered")
    ? scanSql("")
    : own.map((state) => scanSql(`AND state = '${state}'`)).join(" UNION ALL ");
}

const columnsSql = "id, sequence, event_id, event_at, object, key, state, ended_at, last_result";

function scanSql(where: string): string {
  return `(SELECT ${columnsSql} FROM deliveries
    WHERE subscription_id = :subscriptionId AND sequence > :after AND sequence <= :last ${where}
    ORDER BY sequence LIMIT :looked)`;
}

/** Apart for first deliveries and replays: each has an index of its own. */
function wasDeliveredSql(isReplay: "IS NULL" | "IS NOT NULL"): string {
  return `
        EXISTS (
          SELECT 1 FROM deliveries other
          WHERE other.event_id = d.event_id AND other.subscription_id = :subscriptionId
            AND other.replay_id ${isReplay} AND other.state = 'delivered'
            AND other.ended_at <= :asked)`;
}
