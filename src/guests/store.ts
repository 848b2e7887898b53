import type { TicketRef } from "../contracts/tickets.ts";
import type { Geoloc } from "../contracts/session-events.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { isIPv4 } from "node:net";
import type { Guest } from "../http/route.ts";
import { answerableMs } from "./survey.ts";

export type NewConsent = TicketRef &
  Readonly<{
    visit: string;
    textVersion: string;
    language: string;
    hasRecordingNotice: boolean;
    network: string;
    userAgent: string;
    at: Date;
  }>;

export type AnswerKind = "devices" | "accept" | "position" | "decline";

type NewAnswer = TicketRef &
  Readonly<{ kind: AnswerKind; occasion: string; answer: unknown; at: Date }>;

export type PositionRequest = Readonly<{ id: string; createdAt: Date; answeredAt: Date | null }>;

type PositionRow = { id: string; created_at: Date; answered_at: Date | null };

/** Inserts a consent. Returns false if the visit already has one. */
export async function insertConsent(trx: Trx, consent: NewConsent): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `INSERT INTO consents (enterprise_id, ticket_id, visit, text_version, language,
        has_recording_notice, network, user_agent, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (visit) DO NOTHING RETURNING id`,
    [
      consent.enterpriseId,
      consent.ticketId,
      consent.visit,
      consent.textVersion,
      consent.language,
      consent.hasRecordingNotice,
      consent.network,
      consent.userAgent,
      consent.at,
    ],
  );
  return rows.length > 0;
}

/**
 * Whether the customer consented in this visit. A consent is valid for one session: after a session
 * has ended, an earlier consent no longer counts.
 */
export async function hasConsent(
  db: Queryable,
  { ticketId, visit }: { ticketId: number; visit: string },
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT 1 FROM consents c JOIN tickets t ON t.id = c.ticket_id
      WHERE c.ticket_id = ? AND c.visit::text = ?
        AND NOT EXISTS (SELECT FROM sessions s WHERE s.conversation_id = t.conversation_id
          AND s.finished_at > c.created_at)`,
    [ticketId, visit],
  );
  return rows.length > 0;
}

/** Inserts the first answer to a question. Returns false if there is one already. */
export async function insertAnswer(trx: Trx, answer: NewAnswer): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `INSERT INTO guest_answers (enterprise_id, ticket_id, kind, occasion, answer, created_at)
      VALUES (?, ?, ?, ?, ?::json, ?)
      ON CONFLICT (ticket_id, kind, occasion) DO NOTHING RETURNING ticket_id`,
    [
      answer.enterpriseId,
      answer.ticketId,
      answer.kind,
      answer.occasion,
      JSON.stringify(answer.answer),
      answer.at,
    ],
  );
  return rows.length > 0;
}

/** Replaces the last answer to a question. Returns false if it is the same. */
export async function changeAnswer(
  trx: Trx,
  { ticketId, kind, occasion, answer, at }: Omit<NewAnswer, "enterpriseId">,
): Promise<boolean> {
  const text = JSON.stringify(answer);
  const rows = await rowsOf(
    trx,
    `UPDATE guest_answers SET answer = ?::json, created_at = ?
      WHERE ticket_id = ? AND kind = ? AND occasion = ? AND answer::jsonb <> ?::jsonb
      RETURNING ticket_id`,
    [text, at, ticketId, kind, occasion, text],
  );
  return rows.length > 0;
}

/** The questions that were answered on this occasion. */
export async function findAnswers(
  db: Queryable,
  { ticketId, occasion }: { ticketId: number; occasion: string },
): Promise<AnswerKind[]> {
  const rows = await rowsOf<{ kind: AnswerKind }>(
    db,
    "SELECT kind FROM guest_answers WHERE ticket_id = ? AND occasion = ?",
    [ticketId, occasion],
  );
  return rows.map(({ kind }) => kind);
}

/**
 * Whether the customer of a room token declined: in this visit, or in another one and the ticket is
 * still declined. The latter does not count after a recent session, whose survey may be due.
 */
export async function hasDeclined(
  db: Queryable,
  { role, enterpriseId, ticketId, visit }: Guest,
  at: Date,
): Promise<boolean> {
  if (role !== "requestor") {
    return false;
  }
  const rows = await rowsOf(
    db,
    `SELECT FROM tickets t WHERE t.enterprise_id = ? AND t.id = ?
       AND (EXISTS (SELECT FROM guest_answers a
           WHERE a.ticket_id = t.id AND a.kind = 'decline' AND a.occasion = ?)
         OR (t.state = 'declined' AND NOT EXISTS (SELECT FROM sessions s
           WHERE s.enterprise_id = t.enterprise_id AND s.conversation_id = t.conversation_id
             AND s.ended_at > ?)))`,
    [enterpriseId, ticketId, visit, new Date(at.getTime() - answerableMs)],
  );
  return rows.length > 0;
}

/** The open position request, if any. */
export async function findOpenPositionRequest(
  db: Queryable,
  { ticketId, enterpriseId }: TicketRef,
): Promise<PositionRequest | undefined> {
  const [row] = await rowsOf<PositionRow>(
    db,
    `SELECT id, created_at, answered_at FROM position_requests
      WHERE ticket_id = ? AND enterprise_id = ? AND answered_at IS NULL
      ORDER BY created_at DESC LIMIT 1`,
    [ticketId, enterpriseId],
  );
  return row && toPositionRequest(row);
}

/** A position request of this ticket, answered or not. */
export async function findPositionRequest(
  db: Queryable,
  { ticketId, enterpriseId, id }: TicketRef & { id: string },
): Promise<PositionRequest | undefined> {
  const [row] = await rowsOf<PositionRow>(
    db,
    `SELECT id, created_at, answered_at FROM position_requests
      WHERE id = ? AND ticket_id = ? AND enterprise_id = ?`,
    [id, ticketId, enterpriseId],
  );
  return row && toPositionRequest(row);
}

function toPositionRequest(row: PositionRow): PositionRequest {
  return {
    id: row.id,
    createdAt: row.created_at,
    answeredAt: row.answered_at,
  };
}

export async function insertPositionRequest(
  trx: Trx,
  request: TicketRef & Readonly<{ id: string; askedBy: number | null; at: Date }>,
): Promise<PositionRequest> {
  await rowsOf(
    trx,
    `INSERT INTO position_requests (id, enterprise_id, ticket_id, asked_by, created_at)
      VALUES (?, ?, ?, ?, ?)`,
    [request.id, request.enterpriseId, request.ticketId, request.askedBy, request.at],
  );
  return { id: request.id, createdAt: request.at, answeredAt: null };
}

export type LastPosition = Readonly<{ geoloc: Geoloc; accuracy: number | null; at: Date }>;

/** The last position that the customer sent; refusals do not count. */
export async function findLastPosition(
  db: Queryable,
  { ticketId, enterpriseId }: TicketRef,
): Promise<LastPosition | undefined> {
  const [row] = await rowsOf<{
    answer: Geoloc & { accuracy?: number };
    created_at: Date;
  }>(
    db,
    `SELECT answer, created_at FROM guest_answers
      WHERE enterprise_id = ? AND ticket_id = ? AND kind = 'position' AND answer->>'lat' IS NOT NULL
      ORDER BY created_at DESC, occasion LIMIT 1`,
    [enterpriseId, ticketId],
  );
  if (row === undefined) {
    return undefined;
  }
  const { lat, lng, accuracy = null } = row.answer;
  return { geoloc: { lat, lng }, accuracy, at: row.created_at };
}

export async function markPositionAnswered(
  trx: Trx,
  { id, ticketId, at }: { id: string; ticketId: number; at: Date },
): Promise<void> {
  await rowsOf(trx, "UPDATE position_requests SET answered_at = ? WHERE id = ? AND ticket_id = ?", [
    at,
    id,
    ticketId,
  ]);
}

/**
 * Truncates an address for the consent record, so that it does not identify a person:
 * `203.0.113.0/24` for IPv4, `2001:db8:1::/48` for the /64 of an IPv6 address.
 */
export function anonymizeNetwork(clientNetwork: string): string {
  if (isIPv4(clientNetwork)) {
    return `${clientNetwork.split(".").slice(0, 3).join(".")}.0/24`;
  }
  const groups = clientNetwork.split("::")[0]?.split(":") ?? [];
  return groups.length === 4 ? `${groups.slice(0, 3).join(":")}::/48` : "unknown";
}
