import { dayMs } from "../../platform/clock.ts";
import type { Page } from "../../http/paging.ts";
import { allOf, countWhere, where } from "../../platform/db/where.ts";
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { readCriteria, type StoredCriteria } from "./criteria.ts";
import type { ReplayState } from "../../contracts/deliveries.ts";
import type { WalkPosition, Replay } from "./model.ts";
import {
  replayProgressColumns,
  replayProgressSql,
  toReplayProgress,
  type ReplayProgress,
  type ReplayProgressRow,
} from "../../pipeline/ledger/replay-deliveries.ts";

type ReplayRow = {
  id: number;
  enterprise_id: number;
  subscription_id: number;
  state: ReplayState;
  criteria: StoredCriteria;
  max_per_second: number;
  total: number | null;
  made: number;
  phase: WalkPosition["phase"];
  position: number;
  last_sequence: number;
  last_event_row_id: number;
  error: string | null;
  created_by: number | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
};

const columnsSql = `r.id, r.enterprise_id, r.subscription_id, r.state, r.criteria, r.max_per_second,
  r.total, r.made, r.phase, r.position, r.last_sequence, r.last_event_row_id, r.error, r.created_by,
  r.created_at, r.started_at, r.ended_at`;

export type ReplayWithProgress = { replay: Replay; progress: ReplayProgress };

type ReplayWithProgressRow = ReplayRow & ReplayProgressRow;

/** A filter of replays. An empty list means all. */
export type ReplayFilter = Readonly<{
  subscriptionIds: readonly number[];
  states: readonly ReplayState[];
}>;

/** The newest visible event of the enterprise; 0 if none. */
export async function findLastEventRowId(db: Queryable, enterpriseId: number): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    "SELECT id FROM events WHERE enterprise_id = ? ORDER BY id DESC LIMIT 1",
    [enterpriseId],
  );
  return row?.id ?? 0;
}

/**
 * Since when all deliveries of the enterprise are kept; `retentionDays` is the default. Whether
 * older events had a delivery is unknown.
 */
export async function readLogSince(
  db: Queryable,
  enterpriseId: number,
  { retentionDays, now }: { retentionDays: number; now: Date },
): Promise<Date> {
  const [row] = await rowsOf<{ days: number | null }>(
    db,
    "SELECT log_days AS days FROM enterprises WHERE id = ?",
    [enterpriseId],
  );
  return new Date(now.getTime() - (row?.days ?? retentionDays) * dayMs);
}

/** The current filters and conditions of the subscription. */
export async function readMatching(
  db: Queryable,
  subscriptionId: number,
): Promise<Replay["matching"]> {
  const [row] = await rowsOf<Replay["matching"]>(
    db,
    "SELECT filters, conditions FROM subscriptions WHERE id = ?",
    [subscriptionId],
  );
  return row ?? { filters: [], conditions: null };
}

export async function insertReplay(trx: Trx, replay: Omit<Replay, "id">): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, total,
       made, phase, position, last_sequence, last_event_row_id, created_by, created_at, started_at,
       ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [
      ...[replay.enterpriseId, replay.subscriptionId, replay.state],
      JSON.stringify({ ...replay.criteria, ...replay.matching } satisfies object),
      ...[replay.rate, replay.total, replay.made, replay.position.phase, replay.position.position],
      ...[replay.lastSequence, replay.lastEventRowId, replay.createdBy, replay.created],
      ...[replay.started, replay.ended],
    ],
  );
  if (row === undefined) {
    throw new Error("The replay was not inserted");
  }
  return row.id;
}

/**
 * A replay, locked until the transaction ends. Lock order: the replay before the health row. Not
 * FOR UPDATE: a settlement holds the health lock when its deliveries reference this row.
 */
export async function lockReplay(
  trx: Trx,
  { enterpriseId, id }: Pick<Replay, "enterpriseId" | "id">,
): Promise<Replay | undefined> {
  const sql = `SELECT ${columnsSql} FROM replays r
    WHERE r.enterprise_id = ? AND r.id = ? FOR NO KEY UPDATE`;
  return (await preparedRowsOf<ReplayRow>(trx, sql, [enterpriseId, id])).map(toReplay)[0];
}

/** Stores the changed fields of a replay that the caller has locked. */
export async function saveReplay(trx: Trx, replay: Replay): Promise<void> {
  await preparedRowsOf(
    trx,
    `UPDATE replays SET state = ?, total = ?, made = ?, phase = ?, position = ?, error = ?,
       started_at = ?, ended_at = ?
     WHERE id = ?`,
    [
      ...[replay.state, replay.total, replay.made, replay.position.phase, replay.position.position],
      ...[replay.error, replay.started, replay.ended, replay.id],
    ],
  );
}

/** Open replays of the subscription. Exact while the caller holds the health lock. */
export async function countOpenReplays(trx: Trx, subscriptionId: number): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `SELECT count(*) AS count FROM replays
     WHERE subscription_id = ? AND state IN ('counting', 'running', 'paused')`,
    [subscriptionId],
  );
  return row?.count ?? 0;
}

/** Whether a recovery of the subscription is open. Exact while the caller holds the health lock. */
export async function hasOpenRecovery(trx: Trx, subscriptionId: number): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `SELECT 1 FROM replays
     WHERE subscription_id = ? AND state IN ('counting', 'running', 'paused')
       AND (criteria->>'isUndelivered')::boolean LIMIT 1`,
    [subscriptionId],
  );
  return rows.length > 0;
}

/** One replay of the enterprise. `recentAfter` is a minute ago. */
export async function findReplay(
  db: Queryable,
  { enterpriseId, id, recentAfter }: { enterpriseId: number; id: number; recentAfter: Date },
): Promise<ReplayWithProgress | undefined> {
  const sql = readSql("SELECT * FROM replays WHERE enterprise_id = ? AND id = ?");
  return (await rowsOf<ReplayWithProgressRow>(db, sql, [enterpriseId, id, recentAfter])).map(
    toReplayWithProgress,
  )[0];
}

/** The enterprise's replays, newest first. */
export async function listReplays(
  db: Queryable,
  input: ReplayFilter & Page & { enterpriseId: number; recentAfter: Date },
): Promise<{ total: number; replays: ReplayWithProgress[] }> {
  const { enterpriseId, subscriptionIds, states, limit, offset, recentAfter } = input;
  const { sql, bindings } = allOf([
    ...where("enterprise_id = ?", enterpriseId),
    ...where("subscription_id = ANY(?::bigint[])", unlessEmpty(subscriptionIds)),
    ...where("state = ANY(?::text[])", unlessEmpty(states)),
  ]);
  const page = `SELECT * FROM replays WHERE ${sql} ORDER BY id DESC LIMIT ? OFFSET ?`;
  const rows = await rowsOf<ReplayWithProgressRow>(db, readSql(page), [
    ...[...bindings, limit, offset],
    recentAfter,
  ]);
  const total = await countWhere(db, "replays", { sql, bindings });
  return { total, replays: rows.map(toReplayWithProgress) };
}

function unlessEmpty<T>(values: readonly T[]): T[] | undefined {
  return values.length === 0 ? undefined : [...values];
}

function readSql(which: string): string {
  return `
  SELECT ${columnsSql}, ${replayProgressColumns}
  FROM (${which}) AS r ${replayProgressSql} ORDER BY r.id DESC`;
}

function toReplayWithProgress(row: ReplayWithProgressRow): ReplayWithProgress {
  return {
    replay: toReplay(row),
    progress: toReplayProgress(row),
  };
}

function toReplay(row: ReplayRow): Replay {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    subscriptionId: row.subscription_id,
    state: row.state,
    ...readCriteria(row.criteria),
    rate: row.max_per_second,
    total: row.total ?? 0,
    made: row.made,
    position: { phase: row.phase, position: row.position },
    lastSequence: row.last_sequence,
    lastEventRowId: row.last_event_row_id,
    error: row.error,
    createdBy: row.created_by,
    created: row.created_at,
    started: row.started_at,
    ended: row.ended_at,
  };
}
