/**
 * The events that a subscription never had a delivery of, by their ids, and that match what it asks
 * for. What is in the outbox still is the relay's.
 */
import { compileFilters } from "../../contracts/filters.ts";
import { compileConditions } from "../../pipeline/ledger/conditions.ts";
import { createEventLoopYielder } from "../../platform/concurrency/sleep.ts";
import { namedRowsOf, type Queryable } from "../../platform/db/pool.ts";
import type { ReplayMatching } from "./criteria.ts";
import {
  nextOf,
  toReplayCandidate,
  type ReplayChunk,
  type ChunkLimits,
  type ReplayCandidateRow,
  type ReplayScope,
} from "./chunk.ts";
import type { WalkPosition } from "./model.ts";

type WalkedEventRow = ReplayCandidateRow & {
  event: string;
  event_type: string | null;
  body: string | null;
};

const endOfTime = new Date(Date.UTC(9998, 0, 1));

/** With their bodies, events are large: fewer are read at a time. */
const maxBodies = 500;

/** The next part, and where to go on. */
export async function readEventChunk(
  db: Queryable,
  scope: ReplayScope,
  place: WalkPosition,
  limits: ChunkLimits,
): Promise<ReplayChunk> {
  const { criteria, matching, logSince } = scope;
  const since = laterOf(criteria.since, logSince);
  const until = criteria.until ?? endOfTime;
  const isBodyNeeded = matching.conditions !== null;
  const looked = isBodyNeeded ? Math.min(limits.looked, maxBodies) : limits.looked;
  const rows = await namedRowsOf<WalkedEventRow>(db, eventsSql(isBodyNeeded ? "body" : "NULL"), {
    enterpriseId: scope.enterpriseId,
    subscriptionId: scope.subscriptionId,
    ownKey: `subscription:${scope.subscriptionId}`,
    after: place.position,
    last: scope.lastEventRowId,
    looked,
    since,
    until,
    fromDay: dayOf(since, 0),
    toDay: dayOf(until, 1),
    object: criteria.object,
    eventType: criteria.eventType,
  });
  const reach = rows[0] ?? { looked: 0, last: null };
  const matched = await filterMatching(rows, matching);
  const taken = matched.slice(0, limits.taken);
  const next = nextOf(
    place,
    {
      looked: reach.looked === looked,
      last: reach.last ?? 0,
      cut: taken.length === limits.taken ? (taken.at(-1)?.cursor ?? 0) : undefined,
    },
    { phase: "end", position: 0 },
  );
  return { found: taken.map(toReplayCandidate), next };
}

function laterOf(a: Date | null, b: Date): Date {
  return a !== null && a > b ? a : b;
}

/**
 * Whole days bound the inner read, so that it stays within the partitions of the period.
 */
function eventsSql(body: string): string {
  return `
  WITH looked AS MATERIALIZED (
    SELECT id, occurred_at, object, event, event_type, key, message_id, expunged_at, ${body} AS body
    FROM events
    WHERE enterprise_id = :enterpriseId AND id > :after AND id <= :last
      AND occurred_at >= :fromDay AND occurred_at < :toDay
    ORDER BY id LIMIT :looked
  ), matched AS (
    SELECT e.id AS cursor, e.id AS event_id, e.occurred_at AS event_at, e.object, e.key,
      CAST(NULL AS bigint) AS replay_of, e.message_id, e.expunged_at IS NULL AS is_kept,
      e.event, e.event_type, e.body
    FROM looked e
    WHERE e.occurred_at >= :since AND e.occurred_at < :until AND e.key <> :ownKey
      AND (CAST(:object AS text) IS NULL OR e.object = :object)
      AND (CAST(:eventType AS text) IS NULL OR e.event_type = :eventType)
      AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.event_id = e.id)
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.event_id = e.id
          AND d.subscription_id = :subscriptionId AND d.replay_id IS NULL)
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.event_id = e.id
          AND d.subscription_id = :subscriptionId AND d.replay_id IS NOT NULL)
  )
  SELECT reach.*, matched.*
  FROM (SELECT count(*) AS looked, max(id) AS last FROM looked) AS reach
  LEFT JOIN matched ON true ORDER BY matched.cursor`;
}

const dayMs = 86_400_000;

function dayOf(date: Date, plusDays: number): Date {
  return new Date((Math.floor(date.getTime() / dayMs) + plusDays) * dayMs);
}

async function filterMatching(rows: readonly WalkedEventRow[], matching: ReplayMatching) {
  const matches = createMatch(matching);
  const breathe = createEventLoopYielder();
  const matched: WalkedEventRow[] = [];
  for (const row of rows) {
    if (row.cursor !== null && matches(row)) {
      matched.push(row);
    }
    await breathe();
  }
  return matched;
}

/** Filters first; a payload is parsed only where conditions ask for it and it is still there. */
function createMatch({ filters, conditions }: ReplayMatching): (row: WalkedEventRow) => boolean {
  const passes = compileFilters(filters);
  const holds = conditions === null ? () => true : compileConditions(conditions);
  return (row) =>
    passes({ object: row.object, event: row.event, eventType: row.event_type }) &&
    (conditions === null || (row.is_kept && holds(JSON.parse(row.body ?? "null"))));
}
