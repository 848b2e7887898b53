/**
 * In: rules that say which subscriptions get which kind of event. Out: the deliveries of the oldest
 * events of the outbox, and the jobs to add after the commit, all in one round trip.
 * Guarantee: does nothing unless all the rules still hold and nothing has to be decided: then it does
 * what `planDeliveries` and `insertDeliveries` would do.
 */
import type { DeliveryState } from "../../contracts/deliveries.ts";
import type { EventKind, ObjectKind } from "../../contracts/events.ts";
import { toNewJob } from "../../contracts/jobs.ts";
import { advisoryLocks, type Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf, preparedRowsOf } from "../../platform/db/prepared.ts";
import { includeDueNowSql } from "./earliest-due.ts";
import type { EnqueuedDelivery, EnqueueLimits } from "./enqueue-due.ts";
import { windowsSql, lockHealth } from "./health.ts";
import type { Revision } from "./match-event.ts";
import { insertDeliveriesSql } from "./new-deliveries.ts";
import { newPredecessorSql } from "./predecessors.ts";
import { outboxEventsSql, recentTimes } from "./queries/events.ts";

/** Which subscriptions get a kind of event. */
export type FanOutRule = EventKind & {
  /** The rule holds for events from then on. */
  since: Date;
  subscriptions: readonly Pick<Revision, "subscriptionId" | "revision" | "isOrdered">[];
};

/** The rules of some kinds of events, and the newest revision from which they were made. */
export type FanOutRules = { rules: readonly FanOutRule[]; knownRevision: number };

/** So many events at once. */
export const maxEventsByRules = 64;

/**
 * Locks the whole outbox. The next statement reads from a setting of the transaction whether the lock
 * is held. It cannot lock by itself: its snapshot would be older than the lock.
 */
const lockSql = `SELECT set_config('sightline.has_outbox',
  CAST(pg_try_advisory_xact_lock(?) AS text), true) AS has_outbox`;

const isKindOfRuleSql = `r.enterprise_id = b.enterprise_id AND r.object = b.object
      AND r.event = b.event AND r.event_type IS NOT DISTINCT FROM b.event_type`;

const suspendedIdsSql = "ARRAY(SELECT subscription_id FROM windows WHERE is_suspended)";

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
  ), windows AS MATERIALIZED (
    SELECT c.subscription_id, known.is_suspended,
      coalesce(known.is_suspended OR known.free >= c.events, false) AS is_known
    FROM counts c LEFT JOIN LATERAL (${windowsSql("s.id = c.subscription_id")}) AS known ON true
  ), gate AS MATERIALIZED (
    SELECT current_setting('sightline.has_outbox') = 'true'
      AND NOT EXISTS (SELECT FROM subscription_revisions r WHERE r.revision > :knownRevision)
      AND NOT EXISTS (SELECT FROM batch b WHERE b.is_expunged OR NOT EXISTS (
        -- Also without a match if the event is not recent, and was not read.
        SELECT FROM rules r WHERE ${isKindOfRuleSql} AND r.since <= b.occurred_at))
      AND NOT EXISTS (SELECT FROM windows w WHERE NOT w.is_known) AS is_open
  ), taken AS (
    DELETE FROM outbox WHERE event_row_id = ANY(ARRAY(SELECT event_row_id FROM batch))
      AND (SELECT is_open FROM gate)
    RETURNING event_row_id
  ), input AS (
    SELECT m.*, m.event_row_id = ANY(ARRAY(SELECT event_row_id FROM taken)) AS is_taken,
      CASE WHEN m.waits_for IS NULL AND NOT m.is_suspended THEN 'queued' ELSE 'pending' END AS state,
      m.waits_for IS NULL AND NOT m.is_suspended AND m.body IS NOT NULL AS is_reserved
    FROM (
      SELECT m.*, m.occurred_at AS event_at,
        m.subscription_id = ANY(${suspendedIdsSql}) AS is_suspended, coalesce(
        lag(m.sequence) OVER (PARTITION BY m.subscription_id, m.key ORDER BY m.event_row_id),
        (${newPredecessorSql("m")})) AS waits_for
      FROM matched m) AS m
    WHERE (SELECT is_open FROM gate)
  ), planned AS (${insertDeliveriesSql("SELECT * FROM input")}
  ), counted AS (
    UPDATE subscription_health h SET last_sequence = c.last_sequence, ${includeDueNowSql}
    FROM counts c
    WHERE h.subscription_id = c.subscription_id AND (SELECT is_open FROM gate)
  )
  SELECT b.event_row_id, b.object, b.occurred_at, b.event_id,
    CASE WHEN p.state = 'queued' THEN b.body END AS body, p.id, p.subscription_id, p.sequence, p.state,
    p.subscription_id = ANY(${suspendedIdsSql}) AS is_suspended
  FROM gate g LEFT JOIN batch b ON true
    LEFT JOIN planned p ON p.event_row_id = b.event_row_id
  WHERE g.is_open
  ORDER BY b.event_row_id, p.subscription_id`;

/** An event, and one of its deliveries; all null if the outbox was empty. */
type FannedOutRow = {
  event_row_id: number | null;
  object: ObjectKind;
  occurred_at: Date;
  event_id: string;
  body: string | null;
  id: number | null;
  subscription_id: number;
  sequence: number;
  state: DeliveryState;
  is_suspended: boolean;
};

export type FannedOut = {
  events: { object: ObjectKind }[];
  enqueued: EnqueuedDelivery[];
  /**
   * Some of the deliveries wait for the result of another one, or for room, and their subscription is
   * not suspended.
   */
  hasPending: boolean;
};

/**
 * Fans out the oldest events. Returns undefined if it did nothing: another relay holds the lock, a
 * rule is missing or outdated, or a subscription has a backlog, limits or recent failures.
 */
export async function fanOutByRules(
  trx: Trx,
  { rules, knownRevision }: FanOutRules,
  { now, maxInFlight, reservedMs }: EnqueueLimits,
): Promise<FannedOut | undefined> {
  const subscriptions = rules.flatMap((rule) => rule.subscriptions);
  const revisions = new Map(subscriptions.map((one) => [one.subscriptionId, one.revision]));
  // Separate statements: each one sees what the previous holder of the lock before it committed.
  const [, , rows] = await Promise.all([
    preparedRowsOf(trx, lockSql, [advisoryLocks.relay]),
    lockHealth(trx, [...revisions.keys()]),
    preparedNamedRowsOf<FannedOutRow>(trx, fanOutSql, {
      rules: JSON.stringify(rules.flatMap(ruleRows)),
      reservedUntil: reservedMs > 0 ? new Date(now.getTime() + reservedMs) : null,
      ...{ now, maxInFlight, knownRevision, ...recentTimes(now) },
    }),
  ]);
  return rows.length === 0 ? undefined : toFannedOut(rows, revisions, { now, reservedMs });
}

/** One row per subscription; a single row without one if no subscription gets the kind. */
function ruleRows({ enterpriseId, object, event, eventType, since, subscriptions }: FanOutRule) {
  const kind = { enterprise_id: enterpriseId, object, event, event_type: eventType, since };
  return subscriptions.length === 0
    ? [kind]
    : subscriptions.map(({ subscriptionId, isOrdered }) => ({
        subscription_id: subscriptionId,
        is_ordered: isOrdered,
        ...kind,
      }));
}

function toFannedOut(
  rows: readonly FannedOutRow[],
  revisions: ReadonlyMap<number, number>,
  limits: Pick<EnqueueLimits, "now" | "reservedMs">,
): FannedOut {
  const found = rows.filter(({ event_row_id }) => event_row_id !== null);
  const events = new Map(found.map((row) => [row.event_row_id, { object: row.object }]));
  const planned = found.filter((row): row is FannedOutRow & { id: number } => row.id !== null);
  const queued = planned.filter(({ state }) => state === "queued");
  return {
    events: [...events.values()],
    hasPending: planned.some(({ state, is_suspended }) => state === "pending" && !is_suspended),
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
