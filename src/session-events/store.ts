import { all, countWhere, where, type Condition } from "../platform/db/conditions.ts";
import { sessionEventCodes } from "../contracts/session-events.ts";
import type { SessionEventSource, SessionEventType } from "../contracts/session-events.ts";
import { preparedRowsOf, rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { NewSessionEvent } from "./events.ts";

export type SessionEvent = Omit<NewSessionEvent, "enterpriseId"> & Readonly<{ id: number }>;

export type SessionEventFilter = Readonly<{
  eventTypes: readonly SessionEventType[] | undefined;
  sources: readonly SessionEventSource[] | undefined;
  since: Date | undefined;
  /** Not included. */
  until: Date | undefined;
}>;

export type SessionEventPage = Readonly<{
  order: "asc" | "desc";
  limit: number;
  offset: number;
}>;

type SessionEventRow = {
  id: number;
  ticket_id: number;
  conversation_id: number;
  event_type: SessionEventType;
  source: SessionEventSource;
  attributes: Record<string, unknown>;
  created_at: Date;
};

type Owner = { enterpriseId: number; ticketId: number };

// The attributes travel as text: taken as json here already, an escaped NUL in a text that a
// customer's device sent would be unescaped, which Postgres refuses.
const insertSql = `
  INSERT INTO session_events (enterprise_id, ticket_id, conversation_id, event_type, event_code,
    source, attributes, created_at)
  SELECT enterprise_id, ticket_id, conversation_id, event_type, event_code, source,
    attributes::json, created_at
  FROM json_to_recordset(?::json) AS given (position integer, enterprise_id bigint,
    ticket_id bigint, conversation_id bigint, event_type text, event_code smallint, source text,
    attributes text, created_at timestamptz)
  ORDER BY position
  RETURNING id`;

/** Inserts all entries in one statement. Out: their ids, ascending, in the order given. */
export async function insertSessionEvents(
  trx: Trx,
  entries: readonly NewSessionEvent[],
): Promise<number[]> {
  const given = entries.map((entry, position) => ({
    position,
    enterprise_id: entry.enterpriseId,
    ticket_id: entry.ticketId,
    conversation_id: entry.conversationId,
    event_type: entry.eventType,
    event_code: sessionEventCodes[entry.eventType],
    source: entry.source,
    attributes: JSON.stringify(entry.attributes),
    created_at: entry.at,
  }));
  const rows = await preparedRowsOf<{ id: number }>(trx, insertSql, [JSON.stringify(given)]);
  return rows.map((row) => row.id).toSorted((a, b) => a - b);
}

/** One page of a ticket's timeline, by id: ids follow the order of the commits of one ticket. */
export async function listSessionEvents(
  db: Queryable,
  owner: Owner,
  filter: SessionEventFilter,
  page: SessionEventPage,
): Promise<SessionEvent[]> {
  const { sql, bindings } = matching(owner, filter);
  const rows = await rowsOf<SessionEventRow>(
    db,
    `SELECT * FROM session_events WHERE ${sql}
      ORDER BY id ${page.order === "asc" ? "ASC" : "DESC"} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toSessionEvent);
}

function toSessionEvent(row: SessionEventRow): SessionEvent {
  return {
    id: row.id,
    ticketId: row.ticket_id,
    conversationId: row.conversation_id,
    eventType: row.event_type,
    source: row.source,
    at: row.created_at,
    attributes: row.attributes,
  };
}

/** How many entries match in all. */
export function countSessionEvents(
  db: Queryable,
  owner: Owner,
  filter: SessionEventFilter,
): Promise<number> {
  return countWhere(db, "session_events", matching(owner, filter));
}

function matching({ enterpriseId, ticketId }: Owner, filter: SessionEventFilter): Condition {
  return all([
    { sql: "enterprise_id = ? AND ticket_id = ?", bindings: [enterpriseId, ticketId] },
    ...where("event_type = ANY(?)", filter.eventTypes),
    ...where("source = ANY(?)", filter.sources),
    ...where("created_at >= ?", filter.since),
    ...where("created_at < ?", filter.until),
  ]);
}
