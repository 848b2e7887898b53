import type {
  AttemptResult,
  DeliveryState,
  EndReason,
  FailureClass,
} from "../../../contracts/deliveries.ts";
import { rowsOf, type Queryable } from "../../../platform/db/pool.ts";

/** A delivery in the log, with its event and its last attempt. */
export type Delivery = {
  id: number;
  subscription: { id: number; name: string; url: string | null; isDeleted: boolean };
  sequence: number;
  state: DeliveryState;
  attempts: number;
  dueAt: Date;
  /** Sequence of the earlier delivery that this one waits for. */
  waitsFor: number | null;
  created: Date;
  ended: Date | null;
  endReason: EndReason | null;
  object: string;
  /** The replay that created it, and the delivery that it repeats. */
  replayId: number | null;
  replayOf: number | null;
  /** Null if the event is deleted. */
  eventId: string | null;
  event: string | null;
  eventType: string | null;
  objectId: string | null;
  body: string | null;
  /** When the content of the event was removed. */
  expunged: Date | null;
  lastResult: AttemptResult | null;
  lastStatus: number | null;
  lastFailure: FailureClass | null;
  lastAttempt: Date | null;
  /** Duration of the last attempt. */
  lastMs: number | null;
};

export type LoggedAttempt = {
  number: number;
  /** The URL of the request. Null if nothing was sent or the URL was not stored. */
  url: string | null;
  isCounted: boolean;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  failure: FailureClass | null;
  failureDetail: string | null;
  phases: Record<string, number> | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
};

type LoggedDeliveryRow = {
  id: number;
  subscription_id: number;
  name: string;
  url: string | null;
  is_deleted: boolean;
  sequence: number;
  state: DeliveryState;
  attempts: number;
  due_at: Date;
  waits_for: number | null;
  created_at: Date;
  ended_at: Date | null;
  end_reason: EndReason | null;
  object: string;
  replay_id: number | null;
  replay_of: number | null;
  event_id: string | null;
  event: string | null;
  event_type: string | null;
  object_id: string | null;
  body: string | null;
  expunged_at: Date | null;
  last_result: AttemptResult | null;
  status: number | null;
  failure: FailureClass | null;
  started_at: Date | null;
  duration_ms: number | null;
};

export type ReplayPeriod = { subscriptionId: number; since: Date; until: Date | undefined };

/** The deliveries of the enterprise with these ids, newest first. */
export async function readDeliveries(
  db: Queryable,
  enterpriseId: number,
  ids: readonly number[],
): Promise<Delivery[]> {
  if (ids.length === 0) {
    return [];
  }
  const sql = `${fullSql("NULL")} AND d.id = ANY(?::bigint[]) ORDER BY d.id DESC`;
  return (await rowsOf<LoggedDeliveryRow>(db, sql, [enterpriseId, [...ids]])).map(toDelivery);
}

/** One delivery of the enterprise, with its body. */
export async function findDelivery(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<Delivery | undefined> {
  const sql = `${fullSql("e.body")} AND d.id = ?`;
  return (await rowsOf<LoggedDeliveryRow>(db, sql, [enterpriseId, id])).map(toDelivery)[0];
}

/**
 * Attempts are searched between creation and end of the delivery, which skips all other partitions.
 * The minute allows for the clock of the worker, which sets their times.
 */
function fullSql(body: string): string {
  return `
  SELECT d.id, d.subscription_id, s.name, s.url, s.deleted_at IS NOT NULL AS is_deleted, d.sequence,
    d.state, d.attempts, d.due_at, d.waits_for, d.created_at, d.ended_at, d.end_reason, d.object,
    d.replay_id, d.replay_of, e.event_id, e.event, e.event_type, e.object_id, ${body} AS body,
    e.expunged_at, d.last_result, last.status, last.failure, last.started_at,
    last.duration_ms
  FROM deliveries d
  JOIN subscriptions s ON s.id = d.subscription_id AND s.enterprise_id = d.enterprise_id
  LEFT JOIN LATERAL (
    SELECT event_id, event, event_type, object_id, body, expunged_at FROM events
    WHERE id = d.event_row_id AND occurred_at = d.event_at LIMIT 1) AS e ON true
  LEFT JOIN LATERAL (
    SELECT a.status, a.failure, a.started_at, a.duration_ms FROM attempts a
    WHERE a.delivery_id = d.id AND a.started_at >= d.created_at - interval '1 minute'
      AND a.started_at <= coalesce(d.ended_at + interval '1 minute', 'infinity')
    ORDER BY a.started_at DESC, a.id DESC LIMIT 1) AS last ON true
  WHERE d.enterprise_id = ?`;
}

function toDelivery(row: LoggedDeliveryRow): Delivery {
  return {
    id: row.id,
    subscription: {
      id: row.subscription_id,
      name: row.name,
      url: row.url,
      isDeleted: row.is_deleted,
    },
    sequence: row.sequence,
    state: row.state,
    attempts: row.attempts,
    dueAt: row.due_at,
    waitsFor: row.waits_for,
    created: row.created_at,
    ended: row.ended_at,
    endReason: row.end_reason,
    object: row.object,
    replayId: row.replay_id,
    replayOf: row.replay_of,
    eventId: row.event_id,
    event: row.event,
    eventType: row.event_type,
    objectId: row.object_id,
    body: row.body,
    expunged: row.expunged_at,
    lastResult: row.last_result,
    lastStatus: row.status,
    lastFailure: row.failure,
    lastAttempt: row.started_at,
    lastMs: row.duration_ms,
  };
}

/** The id of the delivery with that sequence; undefined if it is deleted. */
export async function findBySequence(
  db: Queryable,
  enterpriseId: number,
  { subscriptionId, sequence }: { subscriptionId: number; sequence: number },
): Promise<number | undefined> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    "SELECT id FROM deliveries WHERE enterprise_id = ? AND subscription_id = ? AND sequence = ?",
    [enterpriseId, subscriptionId, sequence],
  );
  return row?.id;
}

/** The subscriptions of the enterprise, including deleted ones, whose log is kept. */
export async function listSubscriptionIds(db: Queryable, enterpriseId: number): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    "SELECT id FROM subscriptions WHERE enterprise_id = ? ORDER BY id",
    [enterpriseId],
  );
  return rows.map(({ id }) => id);
}

/** The subscription and the period of a replay's deliveries. */
export async function findReplayPeriod(
  db: Queryable,
  enterpriseId: number,
  replayId: number,
): Promise<ReplayPeriod | undefined> {
  const [row] = await rowsOf<{ subscription_id: number; created_at: Date; ended_at: Date | null }>(
    db,
    "SELECT subscription_id, created_at, ended_at FROM replays WHERE enterprise_id = ? AND id = ?",
    [enterpriseId, replayId],
  );
  return (
    row && {
      subscriptionId: row.subscription_id,
      since: row.created_at,
      until: row.ended_at ?? undefined,
    }
  );
}

type LoggedAttemptRow = {
  number: number;
  url: string | null;
  is_counted: boolean;
  started_at: Date;
  duration_ms: number;
  status: number | null;
  failure: FailureClass | null;
  failure_detail: string | null;
  phases: Record<string, number> | null;
  request_headers: Record<string, string> | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
};

/** The attempts of a delivery, in order. */
export async function listAttempts(
  db: Queryable,
  { id, created }: Pick<Delivery, "id" | "created">,
): Promise<LoggedAttempt[]> {
  const rows = await rowsOf<LoggedAttemptRow>(
    db,
    `SELECT number, r.url, is_counted, started_at, duration_ms, status, failure, failure_detail,
       phases, request_headers, response_headers, response_body
     FROM attempts LEFT JOIN subscription_revisions r ON r.revision = attempts.revision
     WHERE delivery_id = ? AND started_at >= ?::timestamptz - interval '1 minute'
     ORDER BY started_at, attempts.id`,
    [id, created],
  );
  return rows.map((row) => ({
    number: row.number,
    url: row.url,
    isCounted: row.is_counted,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    status: row.status,
    failure: row.failure,
    failureDetail: row.failure_detail,
    phases: row.phases,
    requestHeaders: row.request_headers,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
  }));
}
