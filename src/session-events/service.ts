import type { TicketRef } from "../contracts/tickets.ts";
import type { OutboundEvent, ConversationEventProps } from "../contracts/events.ts";
import {
  sessionEventAttributes,
  sessionEventCodes,
  type SessionEventSource,
  type SessionEventType,
  type TimelineEntry,
} from "../contracts/session-events.ts";
import { knownTotal } from "../http/paging.ts";
import { type Db, type Trx, rowsOf, type Queryable } from "../platform/db/pool.ts";
import { preparedRowsOf } from "../platform/db/prepared.ts";
import { submitInTransaction } from "../platform/db/transaction.ts";
import { allOf, countWhere, where, type SqlCondition } from "../platform/db/where.ts";

export type SessionEvents = {
  /**
   * Inserts timeline entries in the given order. Returns their events; the caller appends them to
   * the outbox in the right order with its own events. `reserved`: ascending ids for the first
   * entries of a ticket, if they are known beforehand; then the insert is not waited for.
   */
  write(
    trx: Trx,
    entries: readonly TimelineEntry[],
    reserved?: readonly number[],
  ): Promise<OutboundEvent[]>;
  /** One page of a timeline, and the total. */
  list(
    owner: TicketRef,
    filter: SessionEventFilter,
    page: SessionEventPage,
  ): Promise<{ total: number; events: SessionEvent[] }>;
};

export type SessionEvent = Omit<TimelineEntry, "enterpriseId"> & Readonly<{ id: number }>;

export type SessionEventFilter = Readonly<{
  eventTypes: readonly SessionEventType[] | undefined;
  sources: readonly SessionEventSource[] | undefined;
  since: Date | undefined;
  /** Exclusive. */
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

export function createSessionEvents({ db }: { db: Db }): SessionEvents {
  return {
    write: async (trx, entries, reserved) => {
      if (entries.length === 0) {
        return [];
      }
      entries.forEach(requireExactAttributes);
      const ids =
        reserved?.length === entries.length
          ? await insertReserved(trx, entries, reserved)
          : await insertSessionEvents(trx, entries);
      return entries.map((entry, index) => {
        const id = ids[index];
        if (id === undefined) {
          throw new Error(`Of ${entries.length} session events ${ids.length} were inserted`);
        }
        return sessionEventCreated(id, entry);
      });
    },
    list: async (owner, filter, page) => {
      const events = await listSessionEvents(db, owner, filter, page);
      const known = knownTotal(page, events.length);
      const total = known ?? (await countSessionEvents(db, owner, filter));
      return { total, events };
    },
  };
}

/** Guards against programming errors: a wrong entry would be sent and kept forever. */
function requireExactAttributes({ eventType, attributes }: TimelineEntry): void {
  const names = Object.keys(attributes).join();
  const expected = sessionEventAttributes[eventType].join();
  if (names !== expected) {
    throw new Error(`${eventType} has the attributes "${expected}", not "${names}"`);
  }
}

// Attributes are passed as text: if they were json here, an escaped NUL in a customer's text would
// be unescaped, which Postgres rejects.
const valuesSql = `enterprise_id, ticket_id, conversation_id, event_type, event_code, source,
    attributes::json, created_at, agent_id
  FROM json_to_recordset(?::json) AS input (id bigint, position integer, enterprise_id bigint,
    ticket_id bigint, conversation_id bigint, event_type text, event_code smallint, source text,
    attributes text, created_at timestamptz, agent_id bigint)
  ORDER BY position`;

const columnsSql =
  "enterprise_id, ticket_id, conversation_id, event_type, event_code, source, attributes, created_at, agent_id";

const insertSql = `INSERT INTO session_events (${columnsSql}) SELECT ${valuesSql} RETURNING id`;

const insertReservedSql = `INSERT INTO session_events (id, ${columnsSql}) SELECT id, ${valuesSql}`;

/** Inserts all entries in one statement. Returns their ids in the given order. */
async function insertSessionEvents(trx: Trx, entries: readonly TimelineEntry[]): Promise<number[]> {
  const values = JSON.stringify(entries.map(toValues));
  const rows = await preparedRowsOf<{ id: number }>(trx, insertSql, [values]);
  return rows.map((row) => row.id).toSorted((a, b) => a - b);
}

/** The same with ids that are known. */
async function insertReserved(
  trx: Trx,
  entries: readonly TimelineEntry[],
  ids: readonly number[],
): Promise<readonly number[]> {
  const values = entries.map((entry, index) => ({ id: ids[index], ...toValues(entry, index) }));
  await submitInTransaction(trx, insertReservedSql, [JSON.stringify(values)]);
  return ids;
}

function toValues(entry: TimelineEntry, position: number) {
  return {
    position,
    enterprise_id: entry.enterpriseId,
    ticket_id: entry.ticketId,
    conversation_id: entry.conversationId,
    event_type: entry.eventType,
    event_code: sessionEventCodes[entry.eventType],
    source: entry.source,
    attributes: JSON.stringify(entry.attributes),
    created_at: entry.at,
    agent_id: entry.agentId ?? null,
  };
}

/** The event of an entry. It has the ticket's key, so that the order is kept. */
export function sessionEventCreated(id: number, entry: TimelineEntry): OutboundEvent {
  const props: ConversationEventProps = {
    eventType: entry.eventType,
    eventCode: sessionEventCodes[entry.eventType],
    ticketId: entry.ticketId,
    conversationId: entry.conversationId,
    ...entry.attributes,
  };
  return {
    enterpriseId: entry.enterpriseId,
    key: `ticket:${entry.ticketId}`,
    event: "create",
    object: "conversationevent",
    eventType: entry.eventType,
    objectId: id,
    props,
  };
}

/** One page of a ticket's timeline by id. Within a ticket, ids follow the commit order. */
async function listSessionEvents(
  db: Queryable,
  owner: TicketRef,
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

/** Total number of matches. */
function countSessionEvents(
  db: Queryable,
  owner: TicketRef,
  filter: SessionEventFilter,
): Promise<number> {
  return countWhere(db, "session_events", matching(owner, filter));
}

function matching({ enterpriseId, ticketId }: TicketRef, filter: SessionEventFilter): SqlCondition {
  return allOf([
    { sql: "enterprise_id = ? AND ticket_id = ?", bindings: [enterpriseId, ticketId] },
    ...where("event_type = ANY(?)", filter.eventTypes),
    ...where("source = ANY(?)", filter.sources),
    ...where("created_at >= ?", filter.since),
    ...where("created_at < ?", filter.until),
  ]);
}
