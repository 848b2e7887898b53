import type { RoomRef, ConversationFactory } from "../contracts/rooms.ts";
import type { Scope } from "../contracts/permissions.ts";
import { allOf, countWhere, where, type SqlCondition } from "../platform/db/where.ts";
import { roomReachSql } from "../access/reach.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { insertWithId } from "../platform/db/transaction.ts";
import type { Ids } from "../platform/ids.ts";

/** The persistent part of a room: it outlives the sessions. */
export type Conversation = Readonly<{
  id: number;
  /** The public id used in webhooks. */
  uid: string;
  roomName: string;
  createdAt: Date;
  ticketId: number | null;
  conferenceId: number | null;
  /** Whether people are in the room. Its session ends 5 minutes after the last one left. */
  isOngoing: boolean;
  /** When the last participant left the last session; null before that and during a session. */
  finishedAt: Date | null;
  /** Its ticket or conference is closed, cancelled or ended: no more messages. */
  isOver: boolean;
}>;

type ConversationRow = {
  id: number;
  uid: string;
  room_name: string;
  created_at: Date;
  ticket_id: number | null;
  conference_id: number | null;
  session_id: string | null;
  empty_since: Date | null;
  finished_at: Date | null;
  is_over: boolean;
};

const isOverSql =
  "coalesce(t.state IN ('closed', 'rejected'), c.status IN ('ended', 'cancelled'), TRUE)";

const columns = `v.id, v.uid, v.room_name, v.created_at, t.id AS ticket_id, c.id AS conference_id,
  l.id AS session_id, l.empty_since, l.finished_at, ${isOverSql} AS is_over`;

// The conversation of a deleted ticket is not found.
const source = `conversations v
  LEFT JOIN tickets t ON t.conversation_id = v.id AND t.deleted_at IS NULL
  LEFT JOIN conferences c ON c.conversation_id = v.id`;

const latestSession = `LEFT JOIN LATERAL (
    SELECT s.id, s.empty_since, s.finished_at FROM sessions s WHERE s.conversation_id = v.id
    ORDER BY s.ended_at IS NULL DESC, s.started_at DESC, s.id LIMIT 1
  ) AS l ON TRUE`;

const existsSql = "(t.id IS NOT NULL OR c.id IS NOT NULL)";

export type ConversationFilter = Readonly<{
  ticketId: number | undefined;
  conferenceId: number | undefined;
  since: Date | undefined;
}>;

export type ConversationPage = Readonly<{
  orderby: "date" | "id";
  order: "asc" | "desc";
  limit: number;
  offset: number;
}>;

/** By id, by uid, or by ticket. */
export type ConversationKey = Readonly<{ id: number } | { uid: string } | { ticketId: number }>;

const sortColumn = { date: "v.created_at", id: "v.id" } as const;

/** One page of matching conversations within reach; ties by id. */
export async function listConversations(
  db: Queryable,
  scope: Scope,
  filter: ConversationFilter,
  page: ConversationPage,
): Promise<Conversation[]> {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<ConversationRow>(
    db,
    `SELECT ${columns} FROM ${source} ${latestSession} WHERE ${sql}
     ORDER BY ${sortColumn[page.orderby]} ${direction}, v.id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toConversation);
}

/** Total number of matches. */
export function countConversations(
  db: Queryable,
  scope: Scope,
  filter: ConversationFilter,
): Promise<number> {
  return countWhere(db, source, matching(scope, filter));
}

function matching(scope: Scope, filter: ConversationFilter): SqlCondition {
  return allOf([
    { sql: `v.enterprise_id = ? AND ${existsSql}`, bindings: [scope.enterpriseId] },
    ...where("t.id = ?", filter.ticketId),
    ...where("c.id = ?", filter.conferenceId),
    ...where("v.created_at >= ?", filter.since),
    roomReachSql(scope),
  ]);
}

/** A conversation of the enterprise, and whether the scope reaches it. */
export async function findConversation(
  db: Queryable,
  scope: Scope,
  key: ConversationKey,
): Promise<{ conversation: Conversation; isInReach: boolean } | undefined> {
  const reach = roomReachSql(scope);
  const wanted = byKey(key);
  const [row] = await rowsOf<ConversationRow & { is_in_reach: boolean }>(
    db,
    `SELECT ${columns}, ${reach.sql} AS is_in_reach FROM ${source} ${latestSession}
     WHERE v.enterprise_id = ? AND ${existsSql} AND ${wanted.sql}`,
    [...reach.bindings, scope.enterpriseId, ...wanted.bindings],
  );
  return row && { conversation: toConversation(row), isInReach: row.is_in_reach };
}

function byKey(key: ConversationKey): SqlCondition {
  if ("ticketId" in key) {
    return { sql: "t.id = ?", bindings: [key.ticketId] };
  }
  return "id" in key
    ? { sql: "v.id = ?", bindings: [key.id] }
    : { sql: "v.uid = ?", bindings: [key.uid] };
}

function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    uid: row.uid,
    roomName: row.room_name,
    createdAt: row.created_at,
    ticketId: row.ticket_id,
    conferenceId: row.conference_id,
    isOngoing: row.session_id !== null && row.finished_at === null && row.empty_since === null,
    finishedAt: row.finished_at,
    isOver: row.is_over,
  };
}

/** The ids of the existing rooms that are not over. */
export async function findOpenRooms(
  db: Queryable,
  rooms: readonly RoomRef[],
): Promise<ReadonlySet<number>> {
  const values = rooms.map(({ enterpriseId, conversationId }) => ({
    enterprise_id: enterpriseId,
    conversation_id: conversationId,
  }));
  const rows = await rowsOf<{ id: number }>(
    db,
    `SELECT v.id FROM ${source}
     JOIN json_to_recordset(?::json) AS input (enterprise_id bigint, conversation_id bigint)
       ON input.enterprise_id = v.enterprise_id AND input.conversation_id = v.id
     WHERE NOT ${isOverSql}`,
    [JSON.stringify(values)],
  );
  return new Set(rows.map(({ id }) => id));
}

export function createConversations({ ids }: { ids: Pick<Ids, "uuid"> }): ConversationFactory<Trx> {
  return {
    create: async (trx, { id, enterpriseId, at, roomName }) => {
      const uid = ids.uuid();
      const row = {
        uid,
        enterprise_id: enterpriseId,
        created_at: at,
        ...(roomName === undefined ? {} : { room_name: roomName }),
      };
      return { id: await insertWithId(trx, "conversations", row, id), uid };
    },
  };
}
