import { rowsOf, type Queryable } from "../../platform/db/pool.ts";

/** A delivery as the log shows it, with its event and how its last attempt ended. */
export type Delivery = {
  id: number;
  sequence: number;
  state: DeliveryState;
  attempts: number;
  dueAt: Date;
  /** Sequence of the earlier delivery of the same object that goes first. */
  waitsFor: number | null;
  created: Date;
  ended: Date | null;
  object: string;
  /** Null where the event itself is no longer kept. */
  messageId: string | null;
  event: string | null;
  eventType: string | null;
  objectId: string | null;
  body: string | null;
  lastStatus: number | null;
  lastFailure: string | null;
};

export const deliveryStates = [
  "pending",
  "queued",
  "sending",
  "delivered",
  "retry",
  "dead",
  "paused",
  "cancelled",
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export type Attempt = {
  number: number;
  isCounted: boolean;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  failure: string | null;
  failureDetail: string | null;
  phases: Record<string, number> | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
};

/** Which deliveries of a subscription; an empty list or undefined means all. */
export type DeliveryFilter = {
  states: readonly DeliveryState[];
  object: string | undefined;
  since: Date | undefined;
  limit: number;
  offset: number;
};

type DeliveryRow = {
  id: number;
  sequence: number;
  state: DeliveryState;
  attempts: number;
  due_at: Date;
  waits_for: number | null;
  created_at: Date;
  ended_at: Date | null;
  object: string;
  message_id: string | null;
  event: string | null;
  event_type: string | null;
  object_id: string | null;
  body: string | null;
  status: number | null;
  failure: string | null;
};

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  sequence: row.sequence,
  state: row.state,
  attempts: row.attempts,
  dueAt: row.due_at,
  waitsFor: row.waits_for,
  created: row.created_at,
  ended: row.ended_at,
  object: row.object,
  messageId: row.message_id,
  event: row.event,
  eventType: row.event_type,
  objectId: row.object_id,
  body: row.body,
  lastStatus: row.status,
  lastFailure: row.failure,
});

/**
 * Attempts are looked for from the delivery on, which spares the older partitions. The minute is
 * for the worker's clock, which stamps them and may be a little behind.
 */
const withEventSql = (deliveries: string, body: string): string => `
  SELECT d.id, d.sequence, d.state, d.attempts, d.due_at, d.waits_for, d.created_at, d.ended_at,
    d.object, e.message_id, e.event, e.event_type, e.object_id, ${body} AS body,
    last.status, last.failure
  FROM (${deliveries}) AS d
  LEFT JOIN events e ON e.id = d.event_id AND e.occurred_at = d.event_at
  LEFT JOIN LATERAL (
    SELECT a.status, a.failure FROM attempts a
    WHERE a.delivery_id = d.id AND a.started_at >= d.created_at - interval '1 minute'
    ORDER BY a.started_at DESC, a.id DESC LIMIT 1
  ) AS last ON true
  ORDER BY d.sequence DESC`;

const whereSql = `
  FROM deliveries
  WHERE subscription_id = :subscriptionId
    AND (CAST(:states AS text[]) IS NULL OR state = ANY(CAST(:states AS text[])))
    AND (CAST(:object AS text) IS NULL OR object = CAST(:object AS text))
    AND (CAST(:since AS timestamptz) IS NULL OR created_at >= CAST(:since AS timestamptz))`;

/** Newest first, and how many there are in all. */
export const listDeliveries = async (
  db: Queryable,
  subscriptionId: number,
  filter: DeliveryFilter,
): Promise<{ total: number; deliveries: Delivery[] }> => {
  const { states, object = null, since = null, limit, offset } = filter;
  const bindings = {
    subscriptionId,
    states: states.length === 0 ? null : (states as string[]),
    ...{ object, since, limit, offset },
  };
  const page = `SELECT * ${whereSql} ORDER BY sequence DESC LIMIT :limit OFFSET :offset`;
  const listed: { rows: DeliveryRow[] } = await db.raw(withEventSql(page, "NULL"), bindings);
  const counted: { rows: { total: number }[] } = await db.raw(
    `SELECT count(*) AS total ${whereSql}`,
    bindings,
  );
  return { total: counted.rows[0]?.total ?? 0, deliveries: listed.rows.map(toDelivery) };
};

/** One delivery of the subscription, with the body that is sent. */
export const findDelivery = async (
  db: Queryable,
  subscriptionId: number,
  deliveryId: number,
): Promise<Delivery | undefined> => {
  const one = "SELECT * FROM deliveries WHERE subscription_id = ? AND id = ?";
  const rows = await rowsOf<DeliveryRow>(db, withEventSql(one, "e.body"), [
    subscriptionId,
    deliveryId,
  ]);
  return rows.map(toDelivery)[0];
};

type AttemptRow = {
  number: number;
  is_counted: boolean;
  started_at: Date;
  duration_ms: number;
  status: number | null;
  failure: string | null;
  failure_detail: string | null;
  phases: Record<string, number> | null;
  request_headers: Record<string, string> | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
};

/** The attempts of a delivery, in the order in which they were made. */
export const listAttempts = async (
  db: Queryable,
  { id, created }: Pick<Delivery, "id" | "created">,
): Promise<Attempt[]> => {
  const rows = await rowsOf<AttemptRow>(
    db,
    `SELECT number, is_counted, started_at, duration_ms, status, failure, failure_detail, phases,
       request_headers, response_headers, response_body
     FROM attempts
     WHERE delivery_id = ? AND started_at >= ?::timestamptz - interval '1 minute'
     ORDER BY started_at, attempts.id`,
    [id, created],
  );
  return rows.map((row) => ({
    number: row.number,
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
};
