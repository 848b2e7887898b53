/**
 * In: rules that say which subscriptions get which kind of event. Out: the deliveries of the oldest
 * events of the outbox, and the jobs to add after the commit, all in one round trip.
 * Guarantee: does nothing unless all the rules still hold and nothing has to be decided: then it does
 * what `planDeliveries` and `insertDeliveries` would do.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import { firstGeneration, toNewJob } from "../../contracts/jobs.ts";
import { advisoryLocks, type Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf, preparedRowsOf } from "../../platform/db/prepared.ts";
import type { EnqueuedDelivery, EnqueueLimits } from "./enqueue-due.ts";
import { countInFlightSql, isHealthySql, isIdleSql, lockHealth } from "./health.ts";
import { predecessorSql } from "./predecessors.ts";
import { outboxEventsSql } from "./queries/events.ts";

/** One subscription that gets a kind of event; with `subscriptionId` null, no subscription does. */
export type FanOutRule = {
  enterpriseId: number;
  object: ObjectKind;
  event: string;
  eventType: string | null;
  /** The rule holds for events from then on. */
  since: Date;
  subscriptionId: number | null;
  revision: number | null;
  isOrdered: boolean;
};

/** The rules of some kinds of events, and the newest revision from which they were made. */
export type FanOutRules = { rules: readonly FanOutRule[]; knownRevision: number };

/** So many events at once. */
export const maxEventsByRules = 64;

/**
 * The lock of the whole outbox. A setting of the transaction tells the next statement whether it is
 * held: to ask for it again there would be too late, after what that statement sees.
 */
const lockSql = `SELECT set_config('sightline.has_outbox',
  CAST(pg_try_advisory_xact_lock(?) AS text), true) AS has_outbox`;

const isKindOfRuleSql = `r.enterprise_id = b.enterprise_id AND r.object = b.object
      AND r.event = b.event AND r.event_type IS NOT DISTINCT FROM b.event_type`;

/** The subscription of `count c` has room for all its new deliveries, and none is due before them. */
const hasRoomSql = `
      SELECT FROM subscription_health h JOIN subscriptions s ON s.id = h.subscription_id
      WHERE h.subscription_id = c.subscription_id AND ${isHealthySql} AND ${isIdleSql}
        AND c.events + ${countInFlightSql} <= least(floor(h.window_size), s.max_in_flight, CAST(:maxInFlight AS integer))`;

const fanOutSql = `
  WITH rules AS MATERIALIZED (
    SELECT * FROM json_to_recordset(CAST(:rules AS json)) AS r(enterprise_id bigint, object text,
      event text, event_type text, since timestamptz, subscription_id bigint, is_ordered boolean)
  ), batch AS MATERIALIZED (
    ${outboxEventsSql({ limit: String(maxEventsByRules) })}
  ), matched AS MATERIALIZED (
    SELECT b.*, r.subscription_id, r.is_ordered, h.last_sequence
        + row_number() OVER (PARTITION BY r.subscription_id ORDER BY b.event_row_id) AS sequence
    FROM batch b JOIN rules r ON ${isKindOfRuleSql}
    -- Without its health row a webhook is kept here, and the gate stays closed.
    LEFT JOIN subscription_health h ON h.subscription_id = r.subscription_id
    WHERE r.subscription_id IS NOT NULL
  ), counts AS MATERIALIZED (
    SELECT subscription_id, count(*) AS events, max(sequence) AS last_sequence
    FROM matched GROUP BY subscription_id
  ), gate AS MATERIALIZED (
    SELECT current_setting('sightline.has_outbox') = 'true'
      AND NOT EXISTS (SELECT FROM subscription_revisions r WHERE r.revision > :knownRevision)
      AND NOT EXISTS (SELECT FROM batch b WHERE b.is_expunged OR NOT EXISTS (
        SELECT FROM rules r WHERE ${isKindOfRuleSql} AND r.since <= b.occurred_at))
      AND NOT EXISTS (SELECT FROM counts c WHERE NOT EXISTS (${hasRoomSql})) AS is_open
  ), planned AS (
    INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
      key, due_at, state, waits_for, generation, queued_at, lease_until)
    SELECT m.enterprise_id, m.subscription_id, m.sequence, m.event_row_id, m.occurred_at, m.object,
      m.key, CAST(:now AS timestamptz),
      CASE WHEN m.waits_for IS NULL THEN 'queued' ELSE 'pending' END, m.waits_for,
      CASE WHEN m.waits_for IS NULL THEN ${firstGeneration} ELSE 0 END,
      CASE WHEN m.waits_for IS NULL THEN CAST(:now AS timestamptz) END,
      CASE WHEN m.waits_for IS NULL AND m.body IS NOT NULL
        THEN CAST(:reservedUntil AS timestamptz) END
    FROM (
      SELECT m.*, coalesce(
        lag(m.sequence) OVER (PARTITION BY m.subscription_id, m.key ORDER BY m.event_row_id),
        (${predecessorSql({
          subscriptionId: "m.subscription_id",
          key: "m.key",
          isOrdered: "m.is_ordered",
          waitsForReplay: "before.replay_id IS NULL",
        })})) AS waits_for
      FROM matched m) AS m
    WHERE (SELECT is_open FROM gate)
    ORDER BY m.subscription_id, m.sequence
    RETURNING id, event_row_id, subscription_id, sequence, state
  ), counted AS (
    UPDATE subscription_health h SET last_sequence = c.last_sequence FROM counts c
    WHERE h.subscription_id = c.subscription_id AND (SELECT is_open FROM gate)
  ), taken AS (
    DELETE FROM outbox WHERE event_row_id = ANY(ARRAY(SELECT event_row_id FROM batch))
      AND (SELECT is_open FROM gate)
  )
  SELECT b.event_row_id, b.object, b.occurred_at, b.event_id, b.body, p.id, p.subscription_id,
    p.sequence
  FROM gate g LEFT JOIN batch b ON true
    LEFT JOIN planned p ON p.event_row_id = b.event_row_id AND p.state = 'queued'
  WHERE g.is_open
  ORDER BY b.event_row_id, p.subscription_id`;

/** An event, and one of its deliveries that are queued; all null if the outbox was empty. */
type FannedOutRow = {
  event_row_id: number | null;
  object: ObjectKind;
  occurred_at: Date;
  event_id: string;
  body: string | null;
  id: number | null;
  subscription_id: number;
  sequence: number;
};

export type FannedOut = { events: { object: ObjectKind }[]; enqueued: EnqueuedDelivery[] };

/**
 * Fans out the oldest events. Returns undefined if it did nothing: another relay holds the lock, a
 * rule is missing or outdated, or a subscription has a backlog, limits or failures.
 */
export async function fanOutByRules(
  trx: Trx,
  { rules, knownRevision }: FanOutRules,
  { now, maxInFlight, reservedMs }: EnqueueLimits,
): Promise<FannedOut | undefined> {
  const ids = [...new Set(rules.flatMap(({ subscriptionId }) => subscriptionId ?? []))];
  // Each is a statement of its own, so that the next one sees what its last holder committed.
  const [, , rows] = await Promise.all([
    preparedRowsOf(trx, lockSql, [advisoryLocks.relay]),
    lockHealth(trx, ids),
    preparedNamedRowsOf<FannedOutRow>(trx, fanOutSql, {
      rules: JSON.stringify(rules.map(ruleRow)),
      reservedUntil: reservedMs > 0 ? new Date(now.getTime() + reservedMs) : null,
      ...{ now, maxInFlight, knownRevision },
    }),
  ]);
  return rows.length === 0 ? undefined : toFannedOut(rows, rules, { now, reservedMs });
}

function ruleRow(rule: FanOutRule) {
  return {
    enterprise_id: rule.enterpriseId,
    object: rule.object,
    event: rule.event,
    event_type: rule.eventType,
    since: rule.since,
    subscription_id: rule.subscriptionId,
    is_ordered: rule.isOrdered,
  };
}

function toFannedOut(
  rows: readonly FannedOutRow[],
  rules: readonly FanOutRule[],
  limits: Pick<EnqueueLimits, "now" | "reservedMs">,
): FannedOut {
  const revisions = new Map(rules.map((rule) => [rule.subscriptionId, rule.revision]));
  const found = rows.filter(({ event_row_id }) => event_row_id !== null);
  const events = new Map(found.map((row) => [row.event_row_id, { object: row.object }]));
  const queued = found.filter((row): row is FannedOutRow & { id: number } => row.id !== null);
  return {
    events: [...events.values()],
    enqueued: queued.map((row) =>
      toNewJob(
        row.id,
        {
          event: {
            object: row.object,
            occurredAt: row.occurred_at,
            content: row.body === null ? undefined : { eventId: row.event_id, body: row.body },
          },
          subscriptionId: row.subscription_id,
          revision: revisions.get(row.subscription_id) ?? 0,
          sequence: row.sequence,
        },
        limits.reservedMs > 0 && row.body !== null ? limits.now : null,
      ),
    ),
  };
}
