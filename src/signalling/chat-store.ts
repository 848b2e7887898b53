/** Queries for chat tails, ticket labels and running calls. */
import type { TicketRef } from "../contracts/tickets.ts";
import type { ChatMessage } from "../contracts/rooms.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { TailQuery } from "./colleague-store.ts";

export type ChatNotification = ChatMessage &
  Readonly<{
    enterpriseId: number;
    /** Null for meetings. */
    ticketId: number | null;
    /** The ticket's agent. */
    agentId: number | null;
  }>;

export type TicketLabel = Readonly<{ nickname: string; buttonId: number }>;

/** Messages of these enterprises: by ids, or after a cursor. */
export async function tailChat(db: Queryable, query: TailQuery): Promise<ChatNotification[]> {
  const rows = await rowsOf<{
    id: number;
    session_id: string | null;
    author: ChatMessage["author"];
    user_id: number | null;
    participant: string | null;
    name: string;
    text: string;
    created_at: Date;
    client_key: string | null;
    enterprise_id: number;
    conversation_id: number;
    ticket_id: number | null;
    agent_id: number | null;
  }>(
    db,
    `SELECT m.id, m.session_id, m.author, m.user_id, m.participant, m.name, m.text, m.created_at,
       m.client_key, m.enterprise_id, m.conversation_id, t.id AS ticket_id, t.agent_id
     FROM chat_messages m LEFT JOIN tickets t ON t.conversation_id = m.conversation_id
     WHERE m.enterprise_id = ANY(?::bigint[])
       AND ${"ids" in query ? "m.id = ANY(?::bigint[])" : "m.id > ?"} ORDER BY m.id LIMIT 1000`,
    [[...query.enterpriseIds], "ids" in query ? [...query.ids] : query.after],
  );
  return rows.map((row) => ({
    id: row.id,
    sessionId: row.session_id,
    author: row.author,
    userId: row.user_id,
    participant: row.participant,
    name: row.name,
    text: row.text,
    at: row.created_at,
    clientKey: row.client_key,
    enterpriseId: row.enterprise_id,
    conversationId: row.conversation_id,
    ticketId: row.ticket_id,
    agentId: row.agent_id,
  }));
}

/** The tail's initial cursor. */
export async function lastChatId(db: Queryable): Promise<number> {
  const [row] = await rowsOf<{ id: number | null }>(db, "SELECT max(id) AS id FROM chat_messages");
  return row?.id ?? 0;
}

/** The customer's display name and the ticket's button. */
export async function findTicketLabel(
  db: Queryable,
  enterpriseId: number,
  ticketId: number,
): Promise<TicketLabel | undefined> {
  const [row] = await rowsOf<{ nickname: string; button_id: number }>(
    db,
    `SELECT button_id, coalesce(
         nullif(trim(concat_ws(' ', requestor_firstname, requestor_lastname)), ''),
         nullif(name, ''), nullif(requestor_company, ''),
         requestor_phone, requestor_email, '#' || id) AS nickname
     FROM tickets WHERE enterprise_id = ? AND id = ? AND deleted_at IS NULL`,
    [enterpriseId, ticketId],
  );
  return row && { nickname: row.nickname, buttonId: row.button_id };
}

/** Tickets with a running session. */
export async function findOngoingCalls(
  db: Queryable,
  calls: readonly TicketRef[],
): Promise<ReadonlySet<number>> {
  const rows = await rowsOf<{ id: number }>(
    db,
    `SELECT t.id FROM tickets t
     JOIN json_to_recordset(?::json) AS input (enterprise_id bigint, ticket_id bigint)
       ON input.enterprise_id = t.enterprise_id AND input.ticket_id = t.id
     JOIN sessions s ON s.conversation_id = t.conversation_id AND s.ended_at IS NULL`,
    [
      JSON.stringify(
        calls.map(({ enterpriseId, ticketId }) => ({
          enterprise_id: enterpriseId,
          ticket_id: ticketId,
        })),
      ),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}
