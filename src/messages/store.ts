import type { TicketRef } from "../contracts/tickets.ts";
import type { Channel, MessageStatus } from "../contracts/invitations.ts";
import { knownTotal, type Page } from "../http/paging.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { allOf, countWhere, where, type SqlCondition } from "../platform/db/where.ts";
import type { Message, NewMessage } from "./model.ts";

type MessageRow = {
  id: number;
  enterprise_id: number;
  channel: Channel;
  uid: string;
  ticket_id: number | null;
  conference_id: number | null;
  recipient: string;
  sender: string;
  subject: string | null;
  text: string;
  html: string | null;
  calendar: string | null;
  segments: number | null;
  is_private: boolean;
  status: MessageStatus;
  provider: string | null;
  provider_id: string | null;
  error: string | null;
  attempts: number;
  created_at: Date;
  modified_at: Date;
  sent_at: Date | null;
};

const columns = `id, enterprise_id, channel, uid, ticket_id, conference_id, recipient, sender,
  subject, text, html, calendar, segments, is_private, status, provider, provider_id, error, attempts,
  created_at, modified_at, sent_at`;

export type MessageInsert = NewMessage &
  Readonly<{ uid: string; sender: string; segments: number | null; error: string | null }>;

export type MessageUpdate = Pick<Message, "id" | "enterpriseId"> &
  Partial<Pick<Message, "status" | "provider" | "providerId" | "error" | "attempts" | "sentAt">> &
  Readonly<{ at: Date; /** Clears the text. */ isTextCleared?: boolean }>;

export type MessageFilter = Readonly<{
  channel: Channel;
  statuses: readonly MessageStatus[];
  to: string | undefined;
  ticketId: number | undefined;
  since: Date | undefined;
  until: Date | undefined;
}> &
  MessagePage;

type MessagePage = Page &
  Readonly<{ orderBy: "created_at" | "modified_at" | "id"; order: "asc" | "desc" }>;

/** Inserts one message: `queued`, or `failed` if it has an error. */
export async function insertMessage(trx: Trx, message: MessageInsert): Promise<Message> {
  const [row] = await rowsOf<MessageRow>(
    trx,
    `INSERT INTO messages (enterprise_id, channel, uid, ticket_id, conference_id, recipient, sender,
       subject, text, html, calendar, segments, is_private, status, error, created_by, created_at,
       modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
    [
      message.enterpriseId,
      message.channel,
      message.uid,
      message.ticketId ?? null,
      message.conferenceId ?? null,
      message.recipient,
      message.sender,
      message.subject ?? null,
      message.text,
      message.html ?? null,
      message.calendar ?? null,
      message.segments,
      message.isPrivate ?? false,
      message.error === null ? "queued" : "failed",
      message.error,
      message.createdBy,
      message.at,
      message.at,
    ],
  );
  return toMessage(row as MessageRow);
}

/** A message of the enterprise. */
export async function findMessage(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<Message | undefined> {
  const [row] = await rowsOf<MessageRow>(
    db,
    `SELECT ${columns} FROM messages WHERE enterprise_id = ? AND id = ?`,
    [enterpriseId, id],
  );
  return row && toMessage(row);
}

/** Locks a message until the end of the transaction. */
export async function lockMessage(
  trx: Trx,
  enterpriseId: number,
  id: number,
): Promise<Message | undefined> {
  const [row] = await rowsOf<MessageRow>(
    trx,
    `SELECT ${columns} FROM messages WHERE enterprise_id = ? AND id = ? FOR UPDATE`,
    [enterpriseId, id],
  );
  return row && toMessage(row);
}

/**
 * Locks the SMS of a status report, found by `uid` or by the provider's id. Not restricted to an
 * enterprise: the report is authenticated by the provider's signature, and providers do not know
 * enterprises.
 */
export async function lockReportedMessage(
  trx: Trx,
  report: Readonly<{ provider: string; uid: string | undefined; providerId: string | undefined }>,
): Promise<Message | undefined> {
  const [row] = await rowsOf<MessageRow>(
    trx,
    `SELECT ${columns} FROM messages
     WHERE channel = 'sms' AND coalesce(provider, ?) = ?
       AND (uid = ?::uuid OR (provider = ? AND provider_id = ?))
     ORDER BY (uid = ?::uuid) DESC NULLS LAST, id DESC LIMIT 1 FOR UPDATE`,
    [
      report.provider,
      report.provider,
      report.uid ?? null,
      report.provider,
      report.providerId ?? null,
      report.uid ?? null,
    ],
  );
  return row && toMessage(row);
}

/**
 * Updates a locked message; absent fields stay unchanged. A message that is sent or delivered loses
 * the error of an earlier attempt.
 */
export async function updateMessage(trx: Trx, change: MessageUpdate): Promise<void> {
  const isErrorCleared = change.status === "sent" || change.status === "delivered";
  await rowsOf(
    trx,
    `UPDATE messages SET status = coalesce(?, status), provider = coalesce(?, provider),
       provider_id = coalesce(?, provider_id),
       error = CASE WHEN ? THEN NULL ELSE coalesce(?, error) END,
       text = CASE WHEN ? THEN '' ELSE text END, html = CASE WHEN ? THEN NULL ELSE html END,
       attempts = coalesce(?, attempts), sent_at = coalesce(?, sent_at), modified_at = ?
     WHERE enterprise_id = ? AND id = ?`,
    [
      change.status ?? null,
      change.provider ?? null,
      change.providerId ?? null,
      isErrorCleared,
      change.error ?? null,
      change.isTextCleared ?? false,
      change.isTextCleared ?? false,
      change.attempts ?? null,
      change.sentAt ?? null,
      change.at,
      change.enterpriseId,
      change.id,
    ],
  );
}

/** Messages of the enterprise that match the filter and are not private, and the total. */
export async function listMessages(
  db: Queryable,
  enterpriseId: number,
  filter: MessageFilter,
): Promise<{ total: number; messages: Message[] }> {
  const { channel, statuses, orderBy, order, limit, offset } = filter;
  const fits = allOf([
    ...where("enterprise_id = ? AND channel = ? AND NOT is_private", enterpriseId, channel),
    ...where("status = ANY(?::text[])", statuses.length === 0 ? undefined : [...statuses]),
    ...where("recipient = ?", filter.to),
    ...where("ticket_id = ?", filter.ticketId),
    ...where("created_at >= ?", filter.since),
    ...where("created_at < ?", filter.until),
  ]);
  return readPage(db, fits, { orderBy, order, limit, offset });
}

async function readPage(
  db: Queryable,
  { sql, bindings }: SqlCondition,
  { orderBy, order, limit, offset }: MessagePage,
): Promise<{ total: number; messages: Message[] }> {
  const rows = await rowsOf<MessageRow>(
    db,
    `SELECT ${columns} FROM messages WHERE ${sql}
     ORDER BY ${orderBy} ${order}, id ${order} LIMIT ? OFFSET ?`,
    [...bindings, limit, offset],
  );
  const known = knownTotal({ limit, offset }, rows.length);
  const total = known ?? (await countWhere(db, "messages", { sql, bindings }));
  return { total, messages: rows.map(toMessage) };
}

/** The non-private messages of a ticket by time, and the total. */
export async function listTicketMessages(
  db: Queryable,
  { enterpriseId, ticketId }: TicketRef,
  page: Readonly<{ order: "asc" | "desc"; limit: number; offset: number }>,
): Promise<{ total: number; messages: Message[] }> {
  const fits = {
    sql: "enterprise_id = ? AND ticket_id = ? AND NOT is_private",
    bindings: [enterpriseId, ticketId],
  };
  return readPage(db, fits, { orderBy: "created_at", ...page });
}

/** Messages of the provider `dev`, of every enterprise, newest first. */
export async function listUnsent(
  db: Queryable,
  page: Readonly<{ channel: Channel | undefined; before: number; limit: number }>,
): Promise<{ total: number; messages: Message[] }> {
  const rows = await rowsOf<MessageRow>(
    db,
    `SELECT ${columns} FROM messages
     WHERE provider = 'dev' AND channel = coalesce(?, channel) AND id < ?
     ORDER BY id DESC LIMIT ?`,
    [page.channel ?? null, page.before, page.limit],
  );
  const [counted] = await rowsOf<{ total: number }>(
    db,
    "SELECT count(*) AS total FROM messages WHERE provider = 'dev' AND channel = coalesce(?, channel)",
    [page.channel ?? null],
  );
  return { total: counted?.total ?? 0, messages: rows.map(toMessage) };
}

/** A message of the provider `dev`, by id. */
export async function findUnsent(db: Queryable, id: number): Promise<Message | undefined> {
  const [row] = await rowsOf<MessageRow>(
    db,
    `SELECT ${columns} FROM messages WHERE provider = 'dev' AND id = ?`,
    [id],
  );
  return row && toMessage(row);
}

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    channel: row.channel,
    uid: row.uid,
    ticketId: row.ticket_id,
    conferenceId: row.conference_id,
    recipient: row.recipient,
    sender: row.sender,
    subject: row.subject,
    text: row.text,
    html: row.html,
    calendar: row.calendar,
    segments: row.segments,
    isPrivate: row.is_private,
    status: row.status,
    provider: row.provider,
    providerId: row.provider_id,
    error: row.error,
    attempts: row.attempts,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    sentAt: row.sent_at,
  };
}
