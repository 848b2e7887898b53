import { inTransaction, type Db, type Trx } from "../../platform/db/pool.ts";
import { handOut, takeBackAll, type HandedOut, type HandOutLimits } from "./hand-out.ts";
import { lockHealth, nextHealth, noExperience, type Experience, type Health } from "./health.ts";

/** What an attempt left behind, for the person who asks later why. */
export type AttemptRecord = {
  startedAt: Date;
  durationMs: number;
  status: number | null;
  failure: string | null;
  failureDetail: string | null;
  phases: Readonly<Record<string, number>>;
  requestHeaders: Readonly<Record<string, string>>;
  responseHeaders: Readonly<Record<string, string>> | null;
  responseBody: string | null;
};

/** How an attempt ended, as the ledger takes it. */
export type Settlement = {
  deliveryId: number;
  generation: number;
  subscriptionId: number;
  state: "delivered" | "retry" | "dead";
  /** When the next attempt is due; null unless the state is `retry`. */
  dueAt: Date | null;
  congested: boolean;
  /** How long the whole subscription waits, 0 for not at all. */
  throttleMs: number;
  record: AttemptRecord;
};

export type SettleResult = {
  /** Whether each settlement was taken; false for a worker that lost its claim meanwhile. */
  taken: boolean[];
  /** Deliveries that the freed places went to: their hints are to be added now. */
  handedOut: HandedOut[];
};

const experienceOf = (settlements: readonly Settlement[]): Map<number, Experience> => {
  const seen = new Map<number, Experience>();
  for (const { subscriptionId, state, congested, throttleMs, record } of settlements) {
    const before = seen.get(subscriptionId) ?? noExperience;
    const isSuccess = state === "delivered";
    seen.set(subscriptionId, {
      successes: before.successes + (isSuccess ? 1 : 0),
      successMs: before.successMs + (isSuccess ? record.durationMs : 0),
      failures: before.failures + (isSuccess ? 0 : 1),
      congested: before.congested || congested,
      throttleMs: Math.max(before.throttleMs, throttleMs),
    });
  }
  return seen;
};

const resultRow = (settlement: Settlement) => ({
  delivery_id: settlement.deliveryId,
  generation: settlement.generation,
  state: settlement.state,
  due_at: settlement.dueAt,
  started_at: settlement.record.startedAt,
  duration_ms: Math.round(settlement.record.durationMs),
  status: settlement.record.status,
  failure: settlement.record.failure,
  failure_detail: settlement.record.failureDetail,
  phases: settlement.record.phases,
  request_headers: settlement.record.requestHeaders,
  response_headers: settlement.record.responseHeaders,
  // Postgres text cannot hold NUL, and what a receiver answers is anybody's guess.
  response_body: settlement.record.responseBody?.replaceAll("\u0000", "\uFFFD") ?? null,
});

const healthRow = (health: Health) => ({
  subscription_id: health.subscriptionId,
  window_size: health.windowSize,
  throttled_until: health.throttledUntil,
  failing_since: health.failingSince,
  last_success_at: health.lastSuccessAt,
  last_failure_at: health.lastFailureAt,
});

/**
 * One statement: the deliveries take their new state where the claim still holds, each of those
 * leaves one attempt row, and the next delivery of the same object is let go.
 */
const settleSql = `
  WITH result AS MATERIALIZED (
    SELECT * FROM json_to_recordset(CAST(:results AS json)) AS r(delivery_id bigint, generation integer,
      state text, due_at timestamptz, started_at timestamptz, duration_ms integer, status integer,
      failure text, failure_detail text, phases json, request_headers json, response_headers json,
      response_body text)
  ), settled AS (
    UPDATE deliveries d
    SET state = r.state, attempts = d.attempts + 1, due_at = coalesce(r.due_at, d.due_at),
      lease_until = NULL, ended_at = CASE WHEN r.state <> 'retry' THEN CAST(:now AS timestamptz) END
    FROM result r
    WHERE d.id = r.delivery_id AND d.generation = r.generation AND d.state = 'sending'
    RETURNING d.id, d.generation, d.subscription_id, d.sequence, d.attempts, d.state
  ), recorded AS (
    INSERT INTO attempts (started_at, delivery_id, number, duration_ms, status, failure,
      failure_detail, phases, request_headers, response_headers, response_body)
    SELECT r.started_at, s.id, s.attempts, r.duration_ms, r.status, r.failure, r.failure_detail,
      r.phases, r.request_headers, r.response_headers, r.response_body
    FROM settled s JOIN result r ON r.delivery_id = s.id
  ), let_go AS (
    UPDATE deliveries next SET waits_for = NULL
    FROM settled s JOIN subscriptions sub ON sub.id = s.subscription_id
    WHERE next.subscription_id = s.subscription_id AND next.waits_for = s.sequence
      AND (s.state <> 'retry' OR NOT sub.is_ordered)
  ), learned AS (
    UPDATE subscription_health h
    SET window_size = l.window_size, throttled_until = l.throttled_until,
      failing_since = l.failing_since, last_success_at = l.last_success_at,
      last_failure_at = l.last_failure_at
    FROM json_to_recordset(CAST(:health AS json)) AS l(subscription_id bigint,
      window_size double precision, throttled_until timestamptz, failing_since timestamptz,
      last_success_at timestamptz, last_failure_at timestamptz)
    WHERE h.subscription_id = l.subscription_id
  )
  SELECT id, generation FROM settled`;

const learn = (
  locked: Map<number, Health>,
  settlements: readonly Settlement[],
  { now, maxInFlight }: HandOutLimits,
): Health[] => {
  const seen = experienceOf(settlements);
  return [...locked.values()].map((health) =>
    nextHealth(health, seen.get(health.subscriptionId) ?? noExperience, maxInFlight, now),
  );
};

/**
 * Writes the results of many attempts in one transaction and hands the freed places on.
 * Guarantee: an attempt row exists if and only if its delivery took the result; a worker whose
 * lease was given to another changes nothing. Safe to repeat when the answer got lost.
 */
export const settleAttempts = async (
  db: Db,
  settlements: readonly Settlement[],
  limits: HandOutLimits,
): Promise<SettleResult> =>
  inTransaction(db, async (trx) => {
    const subscriptionIds = [...new Set(settlements.map((one) => one.subscriptionId))];
    const health = learn(await lockHealth(trx, subscriptionIds), settlements, limits);
    const settled = await writeResults(trx, settlements, health, limits.now);
    const throttled = settlements.filter((one) => one.throttleMs > 0);
    if (throttled.length > 0) {
      await takeBackAll(trx, [...new Set(throttled.map((one) => one.subscriptionId))]);
    }
    const handedOut = await handOut(trx, subscriptionIds, limits);
    const isTaken = (one: Settlement) => settled.get(one.deliveryId) === one.generation;
    return { taken: settlements.map(isTaken), handedOut };
  });

const writeResults = async (
  trx: Trx,
  settlements: readonly Settlement[],
  health: readonly Health[],
  now: Date,
): Promise<Map<number, number>> => {
  const result: { rows: { id: number; generation: number }[] } = await trx.raw(settleSql, {
    results: JSON.stringify(settlements.map(resultRow)),
    health: JSON.stringify(health.map(healthRow)),
    now,
  });
  return new Map(result.rows.map((row) => [row.id, row.generation]));
};
