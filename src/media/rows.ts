/** The columns of a media and their mapping. For the stores only. */
import { ticketReachSql, conferenceReachSql } from "../access/reach.ts";
import type { TicketRef } from "../contracts/tickets.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { SqlCondition } from "../platform/db/where.ts";
import type { MediaState } from "../contracts/events.ts";
import type { Media, SourceType } from "./model.ts";
import type { Geoloc } from "../contracts/session-events.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";

export type MediaRow = {
  id: number;
  enterprise_id: number;
  hash: string;
  ticket_id: number | null;
  conference_id: number | null;
  conversation_id: number;
  state: MediaState;
  source_type: SourceType;
  title: string;
  description: string | null;
  filename: string;
  mime_type: string;
  bytes: number;
  lat: number | null;
  lng: number | null;
  owner_id: number | null;
  owner_name: string;
  owner_display: string | null;
  created_at: Date;
  modified_at: Date;
  deleted_at: Date | null;
};

export const mediaColumns = `m.*,
  (SELECT coalesce(nullif(trim(concat_ws(' ', u.firstname, u.lastname)), ''), u.login)
    FROM users u WHERE u.id = m.owner_id AND u.enterprise_id = m.enterprise_id) AS owner_display`;

/** Excludes media of deleted tickets. */
export const parentNotDeletedSql = `NOT EXISTS (SELECT FROM tickets d
  WHERE d.id = m.ticket_id AND d.deleted_at IS NOT NULL)`;

export type MediaRoom = Readonly<{
  enterpriseId: number;
  conversationId: number;
  ticketId: number | null;
  conferenceId: number | null;
}>;

export function toMedia(row: MediaRow): Media {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    hash: row.hash,
    parent: parentOf(row),
    conversationId: row.conversation_id,
    state: row.state,
    sourceType: row.source_type,
    title: row.title,
    description: row.description,
    filename: row.filename,
    mimeType: row.mime_type,
    bytes: row.bytes,
    geoloc: row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng },
    owner: { id: row.owner_id ?? 0, name: row.owner_display ?? row.owner_name },
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    deletedAt: row.deleted_at,
  };
}

function parentOf(row: MediaRow): Media["parent"] {
  return row.ticket_id === null
    ? { name: "conference", id: row.conference_id ?? 0 }
    : { name: "ticket", id: row.ticket_id };
}

/** The media that a scope reaches: those of the tickets and conferences in its reach. */
export function reachSql(scope: Scope): SqlCondition {
  if (scope.reach === "all") {
    return { sql: "TRUE", bindings: [] };
  }
  const ticket = ticketReachSql(scope);
  const conference = conferenceReachSql(scope);
  return {
    sql: `CASE WHEN m.ticket_id IS NULL
      THEN EXISTS (SELECT FROM conferences c WHERE c.id = m.conference_id AND ${conference.sql})
      ELSE EXISTS (SELECT FROM tickets t WHERE t.id = m.ticket_id AND ${ticket.sql}) END`,
    bindings: [...conference.bindings, ...ticket.bindings],
  };
}

/**
 * Whether the ticket or conference of a room token still accepts files: the token may outlive it.
 */
export async function isRoomOpen(db: Queryable, room: MediaRoom): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT FROM tickets WHERE enterprise_id = ? AND id = ? AND conversation_id = ?
        AND deleted_at IS NULL AND state NOT IN ('closed', 'rejected')
      UNION ALL
      SELECT FROM conferences WHERE enterprise_id = ? AND id = ? AND conversation_id = ?
        AND status NOT IN ('ended', 'cancelled')`,
    [
      room.enterpriseId,
      room.ticketId,
      room.conversationId,
      room.enterpriseId,
      room.conferenceId,
      room.conversationId,
    ],
  );
  return rows.length > 0;
}

/** The ticket of a file; undefined if there is no such file, or none of a ticket. */
export async function findTicketOfMedia(
  db: Queryable,
  enterpriseId: number,
  mediaId: number,
): Promise<number | undefined> {
  const [row] = await rowsOf<{ ticket_id: number | null }>(
    db,
    "SELECT ticket_id FROM media WHERE enterprise_id = ? AND id = ?",
    [enterpriseId, mediaId],
  );
  return row?.ticket_id ?? undefined;
}

/** The last known position of a ticket's customer; null if unknown. */
export async function findTicketPosition(
  db: Queryable,
  { enterpriseId, ticketId }: TicketRef,
): Promise<Geoloc | null> {
  const [row] = await rowsOf<Geoloc>(
    db,
    `SELECT geoloc_lat AS lat, geoloc_lng AS lng FROM tickets
      WHERE enterprise_id = ? AND id = ? AND geoloc_lat IS NOT NULL AND geoloc_lng IS NOT NULL`,
    [enterpriseId, ticketId],
  );
  return row ?? null;
}
