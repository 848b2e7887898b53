import { resultOf, type AttemptedState, type FailureClass } from "../../contracts/deliveries.ts";
import type { ObjectKind } from "../../contracts/events.ts";
import type { Db, Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf } from "../../platform/db/prepared.ts";
import { inTransactionEndingWith } from "../../platform/db/transaction.ts";
import {
  enqueueOrClaimDue,
  type DueDeliveries,
  type EnqueueLimits,
  type FreeSlots,
} from "./enqueue-due.ts";
import { requeueSubscriptions } from "./requeue.ts";
import { allowsSql, unindexedStateSql } from "./state-sql.ts";
import {
  nextHealth,
  emptyBatchOutcome,
  type WindowLimits,
  type BatchOutcome,
  type Health,
  toHealthRow,
  updateHealthSql,
  lockHealth,
} from "./health.ts";
import {
  type WriteNotices,
  describeDeadDeliveries,
  describeRecoveries,
  isRecovery,
  type FinalFailure,
  type HealthChange,
} from "./notices.ts";

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

/** Limits of the next enqueue, and the backpressure of the worker. */
export type SettleLimits = EnqueueLimits & Pick<WindowLimits, "isOverloaded"> & FreeSlots;

/** `enqueued`: their jobs must be added now. `claimed`: the worker must send them now. */
export type SettleResult = DueDeliveries & {
  /** Whether each settlement was accepted; false if the worker lost its claim. */
  accepted: boolean[];
  /** Subscriptions whose circuit opened or closed. */
  circuits: { opened: number[]; closed: number[] };
};

/**
 * Stores the results of many attempts in one transaction, and enqueues or claims what fits into the
 * freed capacity.
 * Guarantee: an attempt row exists if and only if its delivery accepted the result. A worker that
 * lost its lease changes no delivery, only the health of the subscription. A notice is written if
 * and only if its cause is committed. Safe to repeat after a lost connection.
 */
export async function settleAttempts(
  { db, writeNotices }: { db: Db; writeNotices: WriteNotices },
  settlements: readonly Settlement[],
  limits: SettleLimits,
): Promise<SettleResult> {
  return inTransactionEndingWith(db, async (trx) => {
    const subscriptionIds = [...new Set(settlements.map((one) => one.subscriptionId))];
    const health = await lockHealth(trx, subscriptionIds);
    const healthChanges = updateHealth(health, settlements, limits);
    const circuits = circuitsOf(healthChanges);
    const written = writeResults(trx, settlements, healthChanges, limits.now);
    if (settlements.some(({ state }) => state === "dead") || healthChanges.some(isRecovery)) {
      await writeNoticesAbout(trx, writeNotices, healthChanges, await written);
    }
    const suspended = suspendedSubscriptions(settlements, circuits.opened);
    if (suspended.length > 0) {
      await written;
      await requeueSubscriptions(trx, suspended);
    }
    const due = enqueueOrClaimDue(trx, subscriptionIds, limits, limits);
    const toResult = (settled: readonly SettledRow[], next: DueDeliveries): SettleResult => {
      const generations = new Map(settled.map((row) => [row.id, row.generation]));
      const isAccepted = (one: Settlement) => generations.get(one.deliveryId) === one.generation;
      return { accepted: settlements.map(isAccepted), ...next, circuits };
    };
    return { last: Promise.all([written, due]).then(([rows, next]) => toResult(rows, next)) };
  });
}

async function writeNoticesAbout(
  trx: Trx,
  writeNotices: WriteNotices,
  healthChanges: readonly HealthChange[],
  settled: readonly SettledRow[],
): Promise<void> {
  const deaths = settled.flatMap(({ death }) => death ?? []);
  const notices = [
    ...(await describeRecoveries(trx, healthChanges)),
    ...(await describeDeadDeliveries(trx, deaths)),
  ];
  if (notices.length > 0) {
    await writeNotices(trx, notices);
  }
}

/** The health of each subscription before and after the batch. */
function updateHealth(
  locked: Map<number, Health>,
  settlements: readonly Settlement[],
  { now, maxInFlight, isOverloaded }: SettleLimits,
): HealthChange[] {
  const seen = batchOutcomes(settlements);
  const bounds = { maxInFlight, isOverloaded };
  return [...locked.values()].map((before) => ({
    before,
    after: nextHealth(before, seen.get(before.subscriptionId) ?? emptyBatchOutcome, bounds, now),
  }));
}

function batchOutcomes(settlements: readonly Settlement[]): Map<number, BatchOutcome> {
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

/**
 * One statement: deliveries whose claim still holds take their new state, each gets one attempt
 * row, and its successor is released.
 */
const settleSql = `
  WITH result AS MATERIALIZED (
    SELECT * FROM json_to_recordset(CAST(:results AS json)) AS r(delivery_id bigint, generation integer,
      state text, result text, due_at timestamptz, started_at timestamptz, duration_ms integer, status integer,
      revision bigint, failure text, failure_detail text, phases json, request_headers json, response_headers json,
      response_body text)
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
  ), health_changes AS (${updateHealthSql}
  )
  SELECT id, generation, CASE WHEN state = 'dead' THEN json_build_object(
      'enterpriseId', enterprise_id, 'subscriptionId', subscription_id, 'deliveryId', id,
      'sequence', sequence, 'object', object, 'attempts', attempts, 'lastResult', result,
      'eventRowId', event_row_id, 'eventAt', event_at) END AS death
  FROM settled`;

type SettledRow = { id: number; generation: number; death: FinalFailure | null };

async function writeResults(
  trx: Trx,
  settlements: readonly Settlement[],
  healthChanges: readonly HealthChange[],
  now: Date,
): Promise<SettledRow[]> {
  return preparedNamedRowsOf<SettledRow>(trx, settleSql, {
    results: JSON.stringify(settlements.map(resultRow)),
    ids: settlements.map(({ deliveryId }) => deliveryId),
    health: JSON.stringify(healthChanges.map(({ after }) => toHealthRow(after))),
    now,
  });
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

/** Subscriptions whose circuit opened or closed. */
function circuitsOf(healthChanges: readonly HealthChange[]): SettleResult["circuits"] {
  const wereOpen = (isOpen: boolean) => (one: HealthChange) =>
    (one.before.probeAt !== null) === isOpen && (one.after.probeAt === null) === isOpen;
  const idsOf = (some: readonly HealthChange[]) => some.map(({ after }) => after.subscriptionId);
  return {
    opened: idsOf(healthChanges.filter(wereOpen(false))),
    closed: idsOf(healthChanges.filter(wereOpen(true))),
  };
}

/**
 * Subscriptions that were throttled or whose circuit just opened: their queued deliveries are
 * requeued.
 */
function suspendedSubscriptions(
  settlements: readonly Settlement[],
  opened: readonly number[],
): number[] {
  const throttled = settlements
    .filter((one) => one.throttleMs > 0)
    .map((one) => one.subscriptionId);
  return [...new Set([...throttled, ...opened])];
}
