/** Events that a subscription never had a delivery of. What is still in the outbox is the relay's. */
import { namedRowsOf, type Queryable } from "../../../platform/db/pool.ts";
import type { ReplayCandidateRow } from "./replayable-deliveries.ts";

/** Null means all. */
export type UndeliveredFilter = {
  since: Date;
  until: Date;
  object: string | null;
  eventType: string | null;
};

/** Event ids above `after`, up to `last`; `scanLimit` rows are read at most. */
export type UndeliveredRange = {
  enterpriseId: number;
  subscriptionId: number;
  after: number;
  last: number;
  scanLimit: number;
  isBodyNeeded: boolean;
};

export type UndeliveredEventRow = ReplayCandidateRow & {
  event: string;
  event_type: string | null;
  body: string | null;
};

/** Without the events about the subscription itself, which it never gets. */
export async function scanUndeliveredEvents(
  db: Queryable,
  filter: UndeliveredFilter,
  { isBodyNeeded, ...range }: UndeliveredRange,
): Promise<UndeliveredEventRow[]> {
  return namedRowsOf<UndeliveredEventRow>(db, scanSql(isBodyNeeded ? "body" : "NULL"), {
    ...filter,
    ...range,
    ownKey: `subscription:${range.subscriptionId}`,
    fromDay: startOfDay(filter.since, 0),
    toDay: startOfDay(filter.until, 1),
  });
}

/** Whole days bound the inner read, so that it stays within the partitions of the period. */
function scanSql(body: string): string {
  return `
  WITH scanned AS MATERIALIZED (
    SELECT id, occurred_at, object, event, event_type, key, message_id, expunged_at, ${body} AS body
    FROM events
    WHERE enterprise_id = :enterpriseId AND id > :after AND id <= :last
      AND occurred_at >= :fromDay AND occurred_at < :toDay
    ORDER BY id LIMIT :scanLimit
  ), matched AS (
    SELECT e.id AS cursor, e.id AS event_id, e.occurred_at AS event_at, e.object, e.key,
      CAST(NULL AS bigint) AS replay_of, e.message_id, e.expunged_at IS NULL AS is_kept,
      e.event, e.event_type, e.body
    FROM scanned e
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
  FROM (SELECT count(*) AS scanned, max(id) AS last_scanned FROM scanned) AS reach
  LEFT JOIN matched ON true ORDER BY matched.cursor`;
}

const dayMs = 86_400_000;

function startOfDay(date: Date, plusDays: number): Date {
  return new Date((Math.floor(date.getTime() / dayMs) + plusDays) * dayMs);
}
