import { inTransaction, namedRowsOf, rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { handOut, takeBackAll, type HandedOut, type HandOutLimits } from "./hand-out.ts";
import {
  learnedRow,
  learnSql,
  lockHealth,
  nextHealth,
  noExperience,
  type Bounds,
  type Experience,
  type Health,
} from "./health.ts";
import type { Notice, WriteNotices } from "./notices.ts";

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
  /** It began so long after its event that it is one of a backlog. */
  isCatchingUp: boolean;
  record: AttemptRecord;
};

/** What a settlement hands out by, and what the worker feels. */
export type SettleLimits = HandOutLimits & Pick<Bounds, "isPressed">;

export type SettleResult = {
  /** Whether each settlement was taken; false for a worker that lost its claim meanwhile. */
  taken: boolean[];
  /** Deliveries that the freed places went to: their hints are to be added now. */
  handedOut: HandedOut[];
};

const experienceOf = (settlements: readonly Settlement[]): Map<number, Experience> => {
  const seen = new Map<number, Experience>();
  for (const settlement of settlements) {
    const { subscriptionId, state, congested, throttleMs, record } = settlement;
    const before = seen.get(subscriptionId) ?? noExperience;
    const isSuccess = state === "delivered";
    seen.set(subscriptionId, {
      successes: before.successes + (isSuccess ? 1 : 0),
      successMs: before.successMs + (isSuccess ? record.durationMs : 0),
      failures: before.failures + (isSuccess ? 0 : 1),
      isCatchingUp: before.isCatchingUp || settlement.isCatchingUp,
      congested: before.congested || congested,
      throttleMs: Math.max(before.throttleMs, throttleMs),
    });
  }
  return seen;
};

/** How an attempt ended, as one of few words: a status class, or the class of a failure. */
const lastResultOf = ({ status, failure }: AttemptRecord): string =>
  status === null ? (failure ?? "other") : `${Math.floor(status / 100)}xx`;

const resultRow = (settlement: Settlement) => ({
  delivery_id: settlement.deliveryId,
  generation: settlement.generation,
  state: settlement.state,
  result: lastResultOf(settlement.record),
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

/**
 * One statement: the deliveries take their new state where the claim still holds, each of those
 * leaves one attempt row, and the next delivery of the same object is let go.
 */
const settleSql = `
  WITH result AS MATERIALIZED (
    SELECT * FROM json_to_recordset(CAST(:results AS json)) AS r(delivery_id bigint, generation integer,
      state text, result text, due_at timestamptz, started_at timestamptz, duration_ms integer, status integer,
      failure text, failure_detail text, phases json, request_headers json, response_headers json,
      response_body text)
  ), settled AS (
    UPDATE deliveries d
    SET state = r.state, attempts = d.attempts + 1, due_at = coalesce(r.due_at, d.due_at),
      lease_until = NULL, last_result = r.result,
      ended_at = CASE WHEN r.state <> 'retry' THEN CAST(:now AS timestamptz) END
    FROM result r
    WHERE d.id = r.delivery_id AND d.generation = r.generation AND d.state = 'sending'
    RETURNING d.id, d.generation, d.subscription_id, d.sequence, d.attempts, d.state, d.object,
      d.event_id, d.event_at
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
  ), learned AS (${learnSql}
  )
  SELECT id, generation, subscription_id, sequence, attempts, object, state = 'dead' AS is_dead,
    event_id, event_at
  FROM settled`;

/** What the batch teaches about each subscription: as it was before, and is from now on. */
const learn = (
  locked: Map<number, Health>,
  settlements: readonly Settlement[],
  { now, maxInFlight, isPressed }: SettleLimits,
): { before: Health; after: Health }[] => {
  const seen = experienceOf(settlements);
  const bounds = { most: maxInFlight, isPressed };
  return [...locked.values()].map((before) => ({
    before,
    after: nextHealth(before, seen.get(before.subscriptionId) ?? noExperience, bounds, now),
  }));
};

type Learned = ReturnType<typeof learn>[number];

/** A warned one that works again. */
const recoveriesOf = (learned: readonly Learned[]): Notice[] =>
  learned.flatMap(({ before, after }) =>
    before.warnedAt !== null && after.warnedAt === null && before.failingSince !== null
      ? [
          {
            kind: "subscription.recovered",
            enterpriseId: before.enterpriseId,
            subscriptionId: before.subscriptionId,
            failingSince: before.failingSince,
          } as const,
        ]
      : [],
  );

type SettledRow = {
  id: number;
  generation: number;
  subscription_id: number;
  sequence: number;
  attempts: number;
  object: string;
  is_dead: boolean;
  event_id: number;
  event_at: Date;
};

type EventRow = { id: number; message_id: string; object_id: string };

/**
 * What the events of dead deliveries were about; without those that are no longer kept. Apart from
 * the settling: few die, and a statement about events is planned for every day of them.
 */
const readEvents = async (
  trx: Trx,
  dead: readonly SettledRow[],
): Promise<Map<number, EventRow>> => {
  const rows = await rowsOf<EventRow>(
    trx,
    // LATERAL with a limit always probes the index; a join may read a whole day's partition.
    `SELECT e.id, e.message_id, e.object_id
     FROM unnest(?::bigint[], ?::timestamptz[]) AS given(id, occurred_at)
     CROSS JOIN LATERAL (
       SELECT id, message_id, object_id FROM events
       WHERE id = given.id AND occurred_at = given.occurred_at LIMIT 1) AS e`,
    [dead.map((row) => row.event_id), dead.map((row) => row.event_at)],
  );
  return new Map(rows.map((row) => [row.id, row]));
};

const readDeaths = async (
  trx: Trx,
  settled: readonly SettledRow[],
  settlements: readonly Settlement[],
  health: Map<number, Health>,
): Promise<Notice[]> => {
  const dead = settled.filter((row) => row.is_dead);
  if (dead.length === 0) {
    return [];
  }
  const events = await readEvents(trx, dead);
  const results = new Map(settlements.map((one) => [one.deliveryId, lastResultOf(one.record)]));
  return dead.map((row) => ({
    kind: "delivery.dead" as const,
    enterpriseId: health.get(row.subscription_id)?.enterpriseId ?? 0,
    subscriptionId: row.subscription_id,
    deliveryId: row.id,
    sequence: row.sequence,
    messageId: events.get(row.event_id)?.message_id ?? "",
    object: row.object,
    objectId: events.get(row.event_id)?.object_id ?? "",
    attempts: row.attempts,
    lastResult: results.get(row.id) ?? "other",
  }));
};

/** Those that are to be left alone from now on: what is handed out to them is taken back. */
const silenced = (settlements: readonly Settlement[], learned: readonly Learned[]): number[] => {
  const throttled = settlements
    .filter((one) => one.throttleMs > 0)
    .map((one) => one.subscriptionId);
  const opened = learned
    .filter(({ before, after }) => before.probeAt === null && after.probeAt !== null)
    .map(({ after }) => after.subscriptionId);
  return [...new Set([...throttled, ...opened])];
};

/**
 * Writes the results of many attempts in one transaction and hands the freed places on.
 * Guarantee: an attempt row exists if and only if its delivery took the result; a worker whose
 * lease was given to another changes nothing; what has to be told is told if and only if it is so.
 * Safe to repeat when the answer got lost.
 */
export const settleAttempts = async (
  { db, writeNotices }: { db: Db; writeNotices: WriteNotices },
  settlements: readonly Settlement[],
  limits: SettleLimits,
): Promise<SettleResult> =>
  inTransaction(db, async (trx) => {
    const subscriptionIds = [...new Set(settlements.map((one) => one.subscriptionId))];
    const health = await lockHealth(trx, subscriptionIds);
    const learned = learn(health, settlements, limits);
    const settled = await writeResults(trx, settlements, learned, limits.now);
    const deaths = await readDeaths(trx, settled, settlements, health);
    const notices = [...recoveriesOf(learned), ...deaths];
    if (notices.length > 0) {
      await writeNotices(trx, notices);
    }
    const silent = silenced(settlements, learned);
    if (silent.length > 0) {
      await takeBackAll(trx, silent);
    }
    const handedOut = await handOut(trx, subscriptionIds, limits);
    const generations = new Map(settled.map((row) => [row.id, row.generation]));
    const isTaken = (one: Settlement) => generations.get(one.deliveryId) === one.generation;
    return { taken: settlements.map(isTaken), handedOut };
  });

const writeResults = async (
  trx: Trx,
  settlements: readonly Settlement[],
  learned: readonly Learned[],
  now: Date,
): Promise<SettledRow[]> =>
  namedRowsOf<SettledRow>(trx, settleSql, {
    results: JSON.stringify(settlements.map(resultRow)),
    health: JSON.stringify(learned.map(({ after }) => learnedRow(after))),
    now,
  });
