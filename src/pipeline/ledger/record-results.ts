import { resultOf, type AttemptedState, type FailureClass } from "../../contracts/deliveries.ts";
import type { ObjectKind } from "../../contracts/events.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf } from "../../platform/db/prepared.ts";
import { lowerEarliestDueSql } from "./earliest-due.ts";
import { firstDueAtSql, type Health, toHealthRow, updateHealthSql } from "./health.ts";
import {
  emptyBatchOutcome,
  fastAnswerMs,
  type BatchOutcome,
  type WindowLimits,
} from "./next-health.ts";
import type { FinalFailure, HealthChange } from "./notices.ts";
import { allowsSql, unindexedStateSql } from "./state-sql.ts";

/** The stored part of an attempt, which explains its result later. */
export type AttemptRecord = {
  /** The revision of the subscription that was used; null if nothing was sent. */
  revision: number | null;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  failure: FailureClass | null;
  failureDetail: string | null;
  phases: Readonly<Record<string, number>>;
  requestHeaders: Readonly<Record<string, string>>;
  responseHeaders: Readonly<Record<string, string>> | null;
  responseBody: string | null;
};

/** How an attempt ended, as the ledger records it. */
export type Settlement = {
  deliveryId: number;
  generation: number;
  subscriptionId: number;
  object: ObjectKind;
  state: AttemptedState;
  /** When the next attempt is due; null unless the state is `retry`. */
  dueAt: Date | null;
  congested: boolean;
  /** How long to throttle the whole subscription; 0 if not at all. */
  throttleMs: number;
  /** It started so long after its event that it belongs to a backlog. */
  isCatchingUp: boolean;
  record: AttemptRecord;
};

/**
 * SQL condition on a health row: nothing failed since the last success, and the window is at its
 * ceiling `:ceiling`. Fast successes then change nothing but the time of the last one.
 */
const isSteadySql = `failing_since IS NULL AND warned_at IS NULL AND failures_in_row = 0
      AND probe_at IS NULL AND failure IS NULL AND failure_status IS NULL
      AND window_size = CAST(:ceiling AS double precision)`;

/** SQL fragment in place of `updateHealthSql`, for rows that are locked and steady. */
const touchHealthSql = `
    UPDATE subscription_health h SET last_success_at = :now, ${lowerEarliestDueSql}
    WHERE h.subscription_id = ANY(CAST(:subscriptions AS bigint[])) AND (SELECT is_steady FROM gate)`;

/** The place of delivery `d` in the arrays. */
const placeSql = "array_position(CAST(:ids AS bigint[]), d.id)";

/**
 * One statement: deliveries whose claim still holds take their new state, each gets one attempt
 * row, and its successor is released. What the deliveries take is read from arrays, because a join
 * would compare each delivery with each result.
 */
function settleSqlWith({
  gateSql = "",
  gateCondition = "",
  healthSql,
  dueSql = "",
}: SettleParts): string {
  return `
  WITH ${gateSql}settled AS (
    UPDATE deliveries d
    SET state = (CAST(:states AS text[]))[${placeSql}], attempts = d.attempts + 1,
      due_at = coalesce((CAST(:dueAt AS timestamptz[]))[${placeSql}], d.due_at),
      lease_until = NULL, last_result = (CAST(:outcomes AS text[]))[${placeSql}],
      ended_at = CASE WHEN (CAST(:states AS text[]))[${placeSql}] <> 'retry'
        THEN CAST(:now AS timestamptz) END
    WHERE d.id = ANY(CAST(:ids AS bigint[])) AND ${allowsSql("succeed", unindexedStateSql)}
      AND d.generation = (CAST(:generations AS integer[]))[${placeSql}] ${gateCondition}
    RETURNING d.id, d.generation, d.subscription_id, d.sequence, d.attempts, d.state, d.object,
      d.last_result AS result, d.enterprise_id, d.event_row_id, d.event_at
  ), counted AS MATERIALIZED (
    SELECT array_agg(id) AS ids, array_agg(attempts) AS attempts,
      array_agg(enterprise_id) AS enterprises FROM settled
  ), recorded AS (
    INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, revision, duration_ms,
      status, failure, failure_detail, phases, request_headers, response_headers, response_body)
    SELECT c.enterprises[array_position(c.ids, r.delivery_id)], r.started_at, r.delivery_id,
      c.attempts[array_position(c.ids, r.delivery_id)], r.revision,
      r.duration_ms, r.status, r.failure, r.failure_detail, r.phases, r.request_headers,
      r.response_headers, r.response_body
    FROM counted c CROSS JOIN json_to_recordset(CAST(:records AS json)) AS r(delivery_id bigint,
      started_at timestamptz, duration_ms integer, status integer, revision bigint, failure text,
      failure_detail text, phases json, request_headers json, response_headers json,
      response_body text)
    WHERE r.delivery_id = ANY(c.ids)
  ), released AS (
    UPDATE deliveries next SET waits_for = NULL
    FROM settled s JOIN subscriptions sub ON sub.id = s.subscription_id
    WHERE next.subscription_id = s.subscription_id AND next.waits_for = s.sequence
      AND (s.state <> 'retry' OR NOT sub.is_ordered)
    RETURNING next.subscription_id, next.due_at
  ), health_changes AS (${healthSql}
  )
  SELECT id, generation, CASE WHEN state = 'dead' THEN json_build_object(
      'enterpriseId', enterprise_id, 'subscriptionId', subscription_id, 'deliveryId', id,
      'sequence', sequence, 'object', object, 'attempts', attempts, 'lastResult', result,
      'eventRowId', event_row_id, 'eventAt', event_at) END AS death ${dueSql}
  FROM settled`;
}

type SettleParts = { gateSql?: string; gateCondition?: string; healthSql: string; dueSql?: string };

const settleSql = settleSqlWith({ healthSql: updateHealthSql(lowerEarliestDueSql) });

/** Does nothing unless every subscription is steady. */
const settleSteadySql = settleSqlWith({
  gateSql: `gate AS MATERIALIZED (
    SELECT count(*) = cardinality(CAST(:subscriptions AS bigint[])) AS is_steady,
      array_agg(subscription_id) FILTER (WHERE ${firstDueAtSql} IS NOT NULL) AS due
    FROM subscription_health h
    WHERE subscription_id = ANY(CAST(:subscriptions AS bigint[])) AND ${isSteadySql}
  ), `,
  gateCondition: "AND (SELECT is_steady FROM gate)",
  healthSql: touchHealthSql,
  // In one row only: a batch has up to 200, each of another subscription.
  dueSql: `, CASE WHEN id = (SELECT ids[1] FROM counted)
      THEN (SELECT due FROM gate) || ARRAY(SELECT subscription_id FROM released) END AS due`,
});

export type SettledRow = { id: number; generation: number; death: FinalFailure | null };

export type SteadyResults = {
  rows: SettledRow[];
  /** The subscriptions that have something due, or whose released deliveries may be. */
  due: number[];
};

/** Stores the results and the health of their subscriptions, whose rows are locked. */
export async function writeResults(
  trx: Trx,
  settlements: readonly Settlement[],
  healthChanges: readonly HealthChange[],
  now: Date,
): Promise<SettledRow[]> {
  return preparedNamedRowsOf<SettledRow>(trx, settleSql, {
    health: JSON.stringify(healthChanges.map(({ after }) => toHealthRow(after))),
    ...resultBindings(settlements, now),
  });
}

/**
 * Stores successes of subscriptions that are expected to be steady, and whose rows are locked. If
 * one is not steady, stores nothing and returns no rows. Also looks for due deliveries, which costs
 * a small part of enqueueing them.
 */
export async function writeSteadyResults(
  trx: Trx,
  settlements: readonly Settlement[],
  { subscriptionIds, ceiling }: { subscriptionIds: readonly number[]; ceiling: number },
  now: Date,
): Promise<SteadyResults> {
  type Row = SettledRow & { due: string[] | null };
  const rows = await preparedNamedRowsOf<Row>(trx, settleSteadySql, {
    subscriptions: subscriptionIds,
    ceiling,
    ...resultBindings(settlements, now),
  });
  return { rows, due: [...new Set(rows.flatMap(({ due }) => due ?? []).map(Number))] };
}

function resultBindings(settlements: readonly Settlement[], now: Date) {
  const each = latestOfEach(settlements);
  return {
    ids: each.map(({ deliveryId }) => deliveryId),
    generations: each.map(({ generation }) => generation),
    states: each.map(({ state }) => state),
    dueAt: each.map(({ dueAt }) => dueAt),
    outcomes: each.map(({ record }) => resultOf(record.status, record.failure)),
    records: JSON.stringify(each.map(recordRow)),
    now,
  };
}

/** If a delivery has several results, the ledger accepts the one with the highest generation. */
function latestOfEach(settlements: readonly Settlement[]): readonly Settlement[] {
  const latest = new Map<number, Settlement>();
  for (const settlement of settlements) {
    const { deliveryId, generation } = settlement;
    if (generation >= (latest.get(deliveryId)?.generation ?? 0)) {
      latest.set(deliveryId, settlement);
    }
  }
  return latest.size === settlements.length ? settlements : [...latest.values()];
}

function recordRow(settlement: Settlement) {
  return {
    delivery_id: settlement.deliveryId,
    started_at: settlement.record.startedAt,
    duration_ms: Math.round(settlement.record.durationMs),
    revision: settlement.record.revision,
    status: settlement.record.status,
    failure: settlement.record.failure,
    failure_detail: settlement.record.failureDetail,
    phases: settlement.record.phases,
    request_headers: settlement.record.requestHeaders,
    response_headers: settlement.record.responseHeaders,
    // Postgres text cannot hold NUL, and a response may contain anything.
    response_body: settlement.record.responseBody?.replaceAll("\u0000", "\uFFFD") ?? null,
  };
}

/** The same as `isSteadySql`. */
export function isSteady(health: Health, { maxInFlight }: WindowLimits): boolean {
  return (
    health.failingSince === null &&
    health.warnedAt === null &&
    health.failuresInRow === 0 &&
    health.probeAt === null &&
    health.lastFailure === null &&
    health.windowSize === maxInFlight
  );
}

/** Whether a steady subscription is still steady after these results. */
export function remainsSteady(seen: BatchOutcome, { pace }: WindowLimits): boolean {
  return (
    seen.successes > 0 &&
    seen.failures === 0 &&
    seen.throttleMs === 0 &&
    seen.successMs / seen.successes <= fastAnswerMs &&
    !(seen.isCatchingUp && pace === "reduced")
  );
}

/** The results of a batch, per subscription. */
export function batchOutcomes(settlements: readonly Settlement[]): Map<number, BatchOutcome> {
  const seen = new Map<number, BatchOutcome>();
  for (const settlement of settlements) {
    const { subscriptionId, state, congested, throttleMs, record } = settlement;
    const before = seen.get(subscriptionId) ?? emptyBatchOutcome;
    const isSuccess = state === "delivered";
    seen.set(subscriptionId, {
      successes: before.successes + (isSuccess ? 1 : 0),
      successMs: before.successMs + (isSuccess ? record.durationMs : 0),
      failures: before.failures + (isSuccess ? 0 : 1),
      failedAs: isSuccess ? before.failedAs : { status: record.status, failure: record.failure },
      isCatchingUp: before.isCatchingUp || settlement.isCatchingUp,
      congested: before.congested || congested,
      throttleMs: Math.max(before.throttleMs, throttleMs),
    });
  }
  return seen;
}
