import { resultOf, type AttemptedState, type FailureClass } from "../../contracts/deliveries.ts";
import type { ObjectKind } from "../../contracts/events.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf } from "../../platform/db/prepared.ts";
import { lowerEarliestDueSql } from "./earliest-due.ts";
import { type Health, toHealthRow, updateHealthSql } from "./health.ts";
import { fastAnswerMs, type BatchOutcome, type WindowLimits } from "./next-health.ts";
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

/**
 * One statement: deliveries whose claim still holds take their new state, each gets one attempt
 * row, and its successor is released.
 */
function settleSqlWith(gateSql: string, gateCondition: string, healthSql: string): string {
  return `
  WITH ${gateSql}result AS MATERIALIZED (
    SELECT * FROM json_to_recordset(CAST(:results AS json)) AS r(delivery_id bigint, generation integer,
      state text, result text, due_at timestamptz, started_at timestamptz, duration_ms integer, status integer,
      revision bigint, failure text, failure_detail text, phases json, request_headers json, response_headers json,
      response_body text)
    ${gateCondition}
  ), settled AS (
    UPDATE deliveries d
    SET state = r.state, attempts = d.attempts + 1, due_at = coalesce(r.due_at, d.due_at),
      lease_until = NULL, last_result = r.result,
      ended_at = CASE WHEN r.state <> 'retry' THEN CAST(:now AS timestamptz) END
    FROM result r
    WHERE d.id = ANY(CAST(:ids AS bigint[])) AND d.id = r.delivery_id AND d.generation = r.generation
      AND ${allowsSql("succeed", unindexedStateSql)}
    RETURNING d.id, d.generation, d.subscription_id, d.sequence, d.attempts, d.state, d.object,
      r.result,
      d.enterprise_id, d.event_row_id, d.event_at
  ), recorded AS (
    INSERT INTO attempts (started_at, delivery_id, number, revision, duration_ms, status, failure,
      failure_detail, phases, request_headers, response_headers, response_body)
    SELECT r.started_at, s.id, s.attempts, r.revision, r.duration_ms, r.status, r.failure, r.failure_detail,
      r.phases, r.request_headers, r.response_headers, r.response_body
    FROM settled s JOIN result r ON r.delivery_id = s.id
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
      'eventRowId', event_row_id, 'eventAt', event_at) END AS death
  FROM settled`;
}

const settleSql = settleSqlWith("", "", updateHealthSql(lowerEarliestDueSql));

/** Does nothing unless every subscription is steady. */
const settleSteadySql = settleSqlWith(
  `gate AS MATERIALIZED (
    SELECT count(*) = cardinality(CAST(:subscriptions AS bigint[])) AS is_steady
    FROM subscription_health
    WHERE subscription_id = ANY(CAST(:subscriptions AS bigint[])) AND ${isSteadySql}
  ), `,
  "WHERE (SELECT is_steady FROM gate)",
  touchHealthSql,
);

export type SettledRow = { id: number; generation: number; death: FinalFailure | null };

/** Stores the results and the health of their subscriptions, whose rows are locked. */
export async function writeResults(
  trx: Trx,
  settlements: readonly Settlement[],
  healthChanges: readonly HealthChange[],
  now: Date,
): Promise<SettledRow[]> {
  return preparedNamedRowsOf<SettledRow>(trx, settleSql, {
    ...resultBindings(settlements, now),
    health: JSON.stringify(healthChanges.map(({ after }) => toHealthRow(after))),
  });
}

/**
 * Stores successes of subscriptions that are expected to be steady, and whose rows are locked. If
 * one is not steady, stores nothing and returns no rows.
 */
export async function writeSteadyResults(
  trx: Trx,
  settlements: readonly Settlement[],
  { subscriptionIds, ceiling }: { subscriptionIds: readonly number[]; ceiling: number },
  now: Date,
): Promise<SettledRow[]> {
  return preparedNamedRowsOf<SettledRow>(trx, settleSteadySql, {
    ...resultBindings(settlements, now),
    subscriptions: subscriptionIds,
    ceiling,
  });
}

function resultBindings(settlements: readonly Settlement[], now: Date) {
  return {
    results: JSON.stringify(settlements.map(resultRow)),
    ids: settlements.map(({ deliveryId }) => deliveryId),
    now,
  };
}

function resultRow(settlement: Settlement) {
  return {
    delivery_id: settlement.deliveryId,
    generation: settlement.generation,
    state: settlement.state,
    result: resultOf(settlement.record.status, settlement.record.failure),
    due_at: settlement.dueAt,
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
