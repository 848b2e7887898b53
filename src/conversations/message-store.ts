import type { ChatMessage, ChatAuthor, ChatWindow, RoomRef } from "../contracts/rooms.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";

export type NewChatMessage = Omit<ChatMessage, "id"> & Readonly<{ enterpriseId: number }>;

type ChatRow = {
  id: number;
  conversation_id: number;
  session_id: string | null;
  author: ChatAuthor;
  user_id: number | null;
  participant: string | null;
  name: string;
  text: string;
  created_at: Date;
  client_key: string | null;
};

const columns =
  "id, conversation_id, session_id, author, user_id, participant, name, text, created_at, client_key";

export type ChatPage = Readonly<{ order: "asc" | "desc"; limit: number; offset: number }>;

/**
 * Inserts a message. Returns its id, or undefined if the conversation already has a message with
 * this client key. Locks the conversation first, so that ids within it follow the commit order: a
 * reader that has seen an id has missed nothing before it.
 */
export async function insertChatMessage(
  trx: Trx,
  message: NewChatMessage,
): Promise<number | undefined> {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `WITH held AS MATERIALIZED (
       SELECT enterprise_id, id FROM conversations WHERE enterprise_id = ? AND id = ?
       FOR NO KEY UPDATE
     )
     INSERT INTO chat_messages (enterprise_id, conversation_id, session_id, author, user_id,
       participant, name, text, created_at, client_key)
     SELECT held.enterprise_id, held.id, ?::uuid, ?, ?::bigint, ?, ?, ?, ?::timestamptz, ?::uuid
     FROM held
     ON CONFLICT (conversation_id, client_key) WHERE client_key IS NOT NULL DO NOTHING
     RETURNING id`,
    [
      message.enterpriseId,
      message.conversationId,
      message.sessionId,
      message.author,
      message.userId,
      message.participant,
      message.name,
      message.text,
      message.at,
      message.clientKey,
    ],
  );
  return row?.id;
}

/** `sessionId`: only the messages of this session. */
type ReadableRoom = RoomRef & Readonly<{ sessionId?: string | undefined }>;

const readableSql =
  "enterprise_id = ? AND conversation_id = ? AND (?::uuid IS NULL OR session_id = ?::uuid)";

function bindReadable({ enterpriseId, conversationId, sessionId }: ReadableRoom) {
  return [enterpriseId, conversationId, sessionId ?? null, sessionId ?? null];
}

/** One page of a room's messages, and the total. */
export async function listChatMessages(
  db: Queryable,
  room: ReadableRoom,
  page: ChatPage,
): Promise<{ total: number; messages: ChatMessage[] }> {
  const rows = await rowsOf<ChatRow>(
    db,
    `SELECT ${columns} FROM chat_messages WHERE ${readableSql}
     ORDER BY id ${page.order === "asc" ? "ASC" : "DESC"} LIMIT ? OFFSET ?`,
    [...bindReadable(room), page.limit, page.offset],
  );
  const [counted] = await rowsOf<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM chat_messages WHERE ${readableSql}`,
    bindReadable(room),
  );
  return { total: counted?.count ?? 0, messages: rows.map(toMessage) };
}

/** Messages before or after a known one. */
export async function readChatWindow(
  db: Queryable,
  room: ReadableRoom,
  { before, after, limit }: ChatWindow,
): Promise<ChatMessage[]> {
  const rows = await rowsOf<ChatRow>(
    db,
    `SELECT ${columns} FROM chat_messages WHERE ${readableSql} AND id < ? AND id > ?
     ORDER BY id ${after === undefined ? "DESC" : "ASC"} LIMIT ?`,
    [...bindReadable(room), before ?? Number.MAX_SAFE_INTEGER, after ?? 0, limit],
  );
  return rows.map(toMessage).toSorted((a, b) => a.id - b.id);
}

/** The message with this client key. */
export async function findChatMessage(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
  clientKey: string,
): Promise<ChatMessage | undefined> {
  const [row] = await rowsOf<ChatRow>(
    db,
    `SELECT ${columns} FROM chat_messages
     WHERE enterprise_id = ? AND conversation_id = ? AND client_key = ?`,
    [enterpriseId, conversationId, clientKey],
  );
  return row && toMessage(row);
}

function toMessage(row: ChatRow): ChatMessage {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    sessionId: row.session_id,
    author: row.author,
    userId: row.user_id,
    participant: row.participant,
    name: row.name,
    text: row.text,
    at: row.created_at,
    clientKey: row.client_key,
  };
}
