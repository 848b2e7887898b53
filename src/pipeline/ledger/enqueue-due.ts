import { objectKinds, type ObjectKind } from "../../contracts/events.ts";
import type { DeliverJob } from "../../contracts/jobs.ts";
import { nextDeliveryState } from "../../contracts/deliveries.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf } from "../../platform/db/prepared.ts";
import { recentDays, toClaimed, type ClaimedDelivery, type ClaimRow } from "./claim.ts";
import {
  earliestDueForSql,
  earliestDueMarginSql,
  earliestDueStepSql,
  isEarliestDueKnownSql,
  renewedEarliestDueSql,
} from "./earliest-due.ts";
import { renewedFirstDueAtSql } from "./health.ts";
import { firstAttemptsSql, inFlightStatesSql, laterAttemptsSql } from "./state-sql.ts";

/** A delivery marked `queued`, whose job must now be added. */
export type EnqueuedDelivery = DeliverJob & { object: ObjectKind };

export type EnqueueLimits = {
  now: Date;
  /** Queues that accept no jobs now: full or unavailable. */
  closed: readonly ObjectKind[];
  /** Maximum deliveries in flight per subscription. */
  maxInFlight: number;
  /** Whether an open circuit may be probed when its time has come. */
  mayProbe: boolean;
  /**
   * How long the relay reserves a new delivery for its job, which then needs no claim; 0: never.
   */
  reservedMs: number;
};

/**
 * What a subscription may have in flight although no slot is known to be free: few enough not to keep
 * the jobs of others waiting, and enough that its own results let the next ones go. One with a rate
 * limit may use its tokens: these are few, too.
 */
const leastInFlight = 8;

/**
 * What it gets beyond that at once from a process without slots, up to its window: in case that
 * another one has some.
 */
const jobShare = 4;

/** While first attempts are due, retries and replays get one nth of the window. */
const retryShare = 4;

/** The token bucket was filled in the future: the clock was set back since. */
const clockWentBackSql = "h.rate_at > CAST(:now AS timestamptz) + interval '5 seconds'";

/**
 * The subscriptions that may get something, and when their first deliveries are due; then their
 * capacity: what the concurrency window, the limits and the circuit allow. The rate is a token
 * bucket that holds half a second's tokens, and at least one.
 */
const capacitySql = `
  health AS MATERIALIZED (
    SELECT h.subscription_id, h.probe_at, h.window_size, h.rate_tokens, h.rate_at,
      s.max_per_second, s.max_in_flight, ${isEarliestDueKnownSql} AS is_known,
      ${renewedEarliestDueSql} AS due_from,
      ${renewedFirstDueAtSql} AS due_at
    FROM subscription_health h
    JOIN subscriptions s ON s.id = h.subscription_id
    WHERE h.subscription_id = ANY(CAST(:subscriptions AS bigint[])) AND s.is_active
      AND (h.throttled_until IS NULL OR h.throttled_until <= :now)
  ), room AS MATERIALIZED (
    SELECT state.subscription_id, state.due_from, state.max_per_second, state.tokens,
      CASE WHEN state.max_per_second IS NULL OR :isRetryTurn
        THEN greatest(0, floor(state.allowed / ${retryShare}) - state.retries) ELSE 0
      END AS reserved,
      :isRetryTurn AND state.retries = 0 AS takes_overdue,
      least(CASE
        WHEN state.probe_at IS NULL THEN state.allowed - state.in_flight
        WHEN :mayProbe AND state.probe_at <= :now AND state.in_flight = 0 THEN 1
        ELSE 0
      END, CASE WHEN state.max_per_second IS NULL
        THEN greatest(${leastInFlight} - state.in_flight, :each + coalesce(
          CAST(CAST(:shares AS json) ->> CAST(state.subscription_id AS text) AS integer), 0))
      END) AS capacity
    FROM (
      SELECT h.subscription_id, h.due_from, h.probe_at, h.max_per_second, in_flight.in_flight,
        in_flight.retries,
        least(floor(h.window_size), h.max_in_flight, :maxInFlight) AS allowed,
        least(greatest(1, h.max_per_second / 2.0), CASE WHEN ${clockWentBackSql} THEN 'infinity'
          ELSE coalesce(h.rate_tokens + h.max_per_second * greatest(0,
            extract(epoch FROM CAST(:now AS timestamptz) - h.rate_at)), 'infinity') END) AS tokens
      FROM health h
      CROSS JOIN LATERAL (
        SELECT count(*) AS in_flight,
          count(*) FILTER (WHERE f.attempts > 0 OR f.replay_id IS NOT NULL) AS retries
        FROM deliveries f
        WHERE f.subscription_id = h.subscription_id AND f.state IN ${inFlightStatesSql}
      ) AS in_flight
      WHERE h.due_at IS NOT NULL -- Usually nothing is due; then nothing else needs to be read.
    ) AS state
  ), free AS MATERIALIZED (
    SELECT subscription_id, due_from, max_per_second, tokens, takes_overdue,
      -- With a rate, the share of retries is one of time, not of each capacity.
      least(reserved, CASE WHEN max_per_second IS NULL THEN ceil(capacity / ${retryShare}.0) END)
        AS reserved,
      CAST(least(capacity, CASE WHEN max_per_second IS NOT NULL THEN floor(tokens) END) AS integer)
        AS capacity
    FROM room
  )`;

/** Free slots of a worker per object kind, and the lease of what it claims. */
export type FreeSlots = {
  slots: Partial<Record<ObjectKind, number>>;
  leaseMs: number;
  /** How many each subscription may take: what its results free, and its part of the free slots. */
  shares: Readonly<Record<number, number>>;
  /** How many it may take beyond that. */
  each: number;
};

/** What is due: marked `queued`, or claimed at once for the free slots of the worker that asks. */
export type DueDeliveries = { enqueued: EnqueuedDelivery[]; claimed: ClaimedDelivery[] };

type EnqueuedRow = Omit<ClaimRow, "event_id" | "body" | "occurred_at"> & {
  event_id: string | null;
  body: string | null;
  occurred_at: Date | null;
};

const enqueuedState = nextDeliveryState("pending", "enqueue");

const claimedState = nextDeliveryState("pending", "claimDue");

/** In a retry turn, a retry that is overdue by this precedes first attempts. */
const overdueMs = 600_000;

const enqueueDueSql = `
  WITH ${capacitySql}, retries AS MATERIALIZED (
    SELECT free.subscription_id, due.*, row_number() OVER (
      PARTITION BY free.subscription_id ORDER BY due.due_at, due.id) AS place
    FROM free CROSS JOIN LATERAL (${dueSql(laterAttemptsSql)}) AS due
    WHERE free.capacity > 0
  ), firsts AS MATERIALIZED (
    SELECT free.subscription_id, due.*, row_number() OVER (
      PARTITION BY free.subscription_id ORDER BY due.due_at, due.id) AS place
    FROM free CROSS JOIN LATERAL (${dueSql(firstAttemptsSql)}) AS due
    WHERE free.capacity > 0
  ), candidates AS (
    SELECT subscription_id, id, object, enterprise_id, event_row_id, event_at, 1 AS class, place
    FROM firsts
    UNION ALL
    SELECT subscription_id, id, object, enterprise_id, event_row_id, event_at, CASE
        WHEN place <= reserved OR (place = 1 AND takes_overdue AND due_at <= :overdue) THEN 0
        ELSE 2 END, place
    FROM retries JOIN free USING (subscription_id)
  ), chosen AS MATERIALIZED (
    SELECT subscription_id, id, object, enterprise_id, event_row_id, event_at, turn FROM (
      SELECT candidates.*, row_number() OVER (
        PARTITION BY subscription_id ORDER BY class, place) AS turn
      FROM candidates) AS candidates JOIN free USING (subscription_id)
    WHERE turn <= free.capacity
  ), known AS (
    SELECT subscription_id, is_known, least(due_at, CAST(:now AS timestamptz) - ${earliestDueMarginSql})
      AS earliest_due_at,
      CASE WHEN due_at IS NULL THEN ${earliestDueStepSql} ELSE interval '0' END AS step FROM health
  ), noted AS (
    -- The time of the bucket never moves back to that of a slower clock, which would fill it twice.
    UPDATE subscription_health h SET
      rate_tokens = CASE WHEN spent.count IS NULL THEN h.rate_tokens ELSE spent.tokens - spent.count END,
      rate_at = CASE WHEN spent.count IS NULL THEN h.rate_at
        ELSE greatest(:now, CASE WHEN NOT ${clockWentBackSql} THEN h.rate_at END) END,
      earliest_due_at = known.earliest_due_at,
      earliest_due_until = CASE WHEN known.is_known THEN h.earliest_due_until
        ELSE CAST(:now AS timestamptz) + ${earliestDueForSql} END
    FROM known LEFT JOIN (
      SELECT subscription_id, free.tokens, count(*) AS count FROM chosen JOIN free USING (subscription_id)
      WHERE free.max_per_second IS NOT NULL GROUP BY 1, 2
    ) AS spent USING (subscription_id)
    WHERE h.subscription_id = known.subscription_id AND (spent.count IS NOT NULL
      OR NOT known.is_known OR known.earliest_due_at > h.earliest_due_at + known.step)
  )
  , claimed AS MATERIALIZED (
    -- Events of other days have no content here, and are enqueued. Only ids, as an array: bodies may
    -- be large, and a join would compare each delivery with each row.
    SELECT array_agg(numbered.id) AS ids
    FROM (SELECT chosen.*, row_number() OVER (PARTITION BY object ORDER BY turn, id) AS place
          FROM chosen) AS numbered
    WHERE numbered.place <= CAST(CAST(:slots AS json) ->> numbered.object AS integer)
      AND (${contentSql("event_id", "numbered")}) IS NOT NULL
  ), moved AS (
    UPDATE deliveries d
    SET state = CASE WHEN d.id = ANY((SELECT ids FROM claimed)::bigint[]) THEN '${claimedState}'
        ELSE '${enqueuedState}' END,
      generation = d.generation + 1, queued_at = :now,
      lease_until = CASE WHEN d.id = ANY((SELECT ids FROM claimed)::bigint[])
        THEN CAST(:leaseUntil AS timestamptz) END
    WHERE d.id = ANY(ARRAY(SELECT id FROM chosen))
    RETURNING d.id, d.generation, d.object, d.subscription_id, d.sequence, d.attempts,
      d.enterprise_id, d.event_row_id, d.event_at, d.replay_id IS NOT NULL AS is_replay,
      (SELECT s.revision FROM subscriptions s WHERE s.id = d.subscription_id) AS revision
  )
  SELECT moved.id, generation, object, subscription_id, sequence, attempts, is_replay, revision,
    content.*
  FROM moved LEFT JOIN LATERAL (${contentSql("event_id, body, occurred_at", "moved")}) AS content
    ON moved.id = ANY((SELECT ids FROM claimed)::bigint[])`;

/** The content of the event of a delivery, if it is of the last days, and not removed. */
function contentSql(columns: string, delivery: string): string {
  return `SELECT ${columns} FROM events
      WHERE events.id = ${delivery}.event_row_id AND occurred_at = ${delivery}.event_at
        AND enterprise_id = ${delivery}.enterprise_id AND expunged_at IS NULL
        AND occurred_at BETWEEN :first AND :last
      LIMIT 1`;
}

/**
 * Marks a few due deliveries of these subscriptions as `queued`, within their concurrency windows: first
 * attempts before retries and replays, which keep a quarter of the window. The caller holds the
 * health locks (`lockHealth`), so the windows are exact, and adds the jobs after the commit. On
 * crash between the two: the sweeper requeues rows whose job cannot exist any more.
 */
export async function enqueueDue(
  trx: Trx,
  subscriptionIds: readonly number[],
  limits: EnqueueLimits,
): Promise<EnqueuedDelivery[]> {
  const { enqueued } = await enqueueOrClaimDue(trx, subscriptionIds, limits, noSlots);
  return enqueued;
}

const noSlots: FreeSlots = { slots: {}, shares: {}, each: jobShare, leaseMs: 0 };

/**
 * As `enqueueDue`, but claims what fits into the free slots of the calling worker, which sends it
 * after the commit: no job is needed. On crash: the leases end.
 */
export async function enqueueOrClaimDue(
  trx: Trx,
  subscriptionIds: readonly number[],
  { now, closed, maxInFlight, mayProbe }: EnqueueLimits,
  { slots, leaseMs, shares, each }: FreeSlots,
): Promise<DueDeliveries> {
  if (closed.length === objectKinds.length) {
    return { enqueued: [], claimed: [] }; // skip reading a possibly large backlog
  }
  const rows = await preparedNamedRowsOf<EnqueuedRow>(trx, enqueueDueSql, {
    subscriptions: subscriptionIds,
    maxInFlight,
    closed,
    mayProbe,
    overdue: new Date(now.getTime() - overdueMs),
    isRetryTurn: isRetryTurn(now),
    now,
    slots: JSON.stringify(slots),
    shares: JSON.stringify(shares),
    each,
    leaseUntil: new Date(now.getTime() + leaseMs),
    ...recentDays(now),
  });
  const ordered = rows.toSorted((a, b) => a.id - b.id);
  return {
    enqueued: ordered.filter((row) => !isClaimed(row)).map(toEnqueued),
    claimed: ordered.filter(isClaimed).map(toClaimed),
  };
}

function isClaimed(row: EnqueuedRow): row is EnqueuedRow & ClaimRow {
  return row.body !== null;
}

function toEnqueued(row: EnqueuedRow): EnqueuedDelivery {
  const { id, generation, object, subscription_id } = row;
  return { deliveryId: id, generation, object, subscriptionId: subscription_id };
}

/**
 * One second in four is a retry turn. A window below four, or a low rate, cannot be divided into
 * quarters, so there the share is a share of time.
 */
function isRetryTurn(now: Date): boolean {
  return Math.floor(now.getTime() / 1_000) % retryShare === 0;
}

function dueSql(which: string): string {
  return `
    SELECT d.id, d.due_at, d.object, d.enterprise_id, d.event_row_id, d.event_at FROM deliveries d
    WHERE d.subscription_id = free.subscription_id AND ${which} AND d.due_at <= :now
      AND d.due_at >= free.due_from AND d.object <> ALL(CAST(:closed AS text[]))
    ORDER BY d.due_at, d.sequence
    LIMIT free.capacity
    FOR UPDATE SKIP LOCKED`;
}
