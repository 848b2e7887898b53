import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { Author, ChatMessage } from "./conversation.ts";

export type NewChatMessage = Omit<ChatMessage, "id"> & Readonly<{ enterpriseId: number }>;

/** Inserts a message. Out: its id; ids follow the order in which messages are read. */
export const insertChatMessage = async (trx: Trx, message: NewChatMessage): Promise<number> => {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO chat_messages (enterprise_id, conversation_id, session_id, author, user_id, name,
       text, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [
      message.enterpriseId,
      message.conversationId,
      message.sessionId,
      message.author,
      message.userId,
      message.name,
      message.text,
      message.at,
    ],
  );
  if (row === undefined) {
    throw new Error("The message was not inserted");
  }
  return row.id;
};

type Room = Readonly<{ enterpriseId: number; conversationId: number }>;

export type ChatPage = Readonly<{ order: "asc" | "desc"; limit: number; offset: number }>;

/** One page of what was written in a room, and how much there is in all. */
export const listChatMessages = async (
  db: Queryable,
  { enterpriseId, conversationId }: Room,
  page: ChatPage,
): Promise<{ total: number; messages: ChatMessage[] }> => {
  const rows = await rowsOf<{
    id: number;
    conversation_id: number;
    session_id: string | null;
    author: Author;
    user_id: number | null;
    name: string;
    text: string;
    created_at: Date;
  }>(
    db,
    `SELECT id, conversation_id, session_id, author, user_id, name, text, created_at
     FROM chat_messages WHERE enterprise_id = ? AND conversation_id = ?
     ORDER BY id ${page.order === "asc" ? "ASC" : "DESC"} LIMIT ? OFFSET ?`,
    [enterpriseId, conversationId, page.limit, page.offset],
  );
  const [counted] = await rowsOf<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM chat_messages WHERE enterprise_id = ? AND conversation_id = ?",
    [enterpriseId, conversationId],
  );
  const messages = rows.map((row) => ({
    id: row.id,
    conversationId: row.conversation_id,
    sessionId: row.session_id,
    author: row.author,
    userId: row.user_id,
    name: row.name,
    text: row.text,
    at: row.created_at,
  }));
  return { total: counted?.count ?? 0, messages };
};
