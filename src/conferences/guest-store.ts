/** Invited guests and actual participants. */
import type { GuestContact } from "../contracts/invitations.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { contactOf } from "./input.ts";
import type { ConferenceRef } from "./model.ts";

export type InvitedGuest = GuestContact & Readonly<{ id: number; invitedAt: Date | null }>;

type GuestRow = {
  id: number;
  email: string | null;
  phone: string | null;
  name: string | null;
  invited_at: Date | null;
};

/**
 * An invited guest or somebody who attended. The two cannot be matched, because all guests use the
 * same link.
 */
export type Participant = Readonly<{
  kind: "invited" | "attended";
  name: string | null;
  email: string | null;
  phone: string | null;
  role: string | null;
  userId: number | null;
  invitedAt: Date | null;
  joinedAt: Date | null;
  leftAt: Date | null;
  isPresent: boolean;
}>;

type ParticipantRow = {
  total: number;
  kind: Participant["kind"];
  name: string | null;
  email: string | null;
  phone: string | null;
  role: string | null;
  user_id: number | null;
  invited_at: Date | null;
  joined_at: Date | null;
  left_at: Date | null;
  is_present: boolean;
};

/** As `contactOf`. */
const contactSql = "lower(coalesce(g.email, g.phone))";

/** Adds guests; existing ones stay unchanged. The caller has locked the conference. */
export async function addGuests(
  trx: Trx,
  { enterpriseId, id }: ConferenceRef,
  contacts: readonly GuestContact[],
  at: Date,
): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO conference_guests (enterprise_id, conference_id, email, phone, name, created_at)
     SELECT ?, ?, email, phone, name, ?
     FROM json_to_recordset(?::json) AS input (
       position integer, email text, phone text, name text, contact text)
     WHERE NOT EXISTS (SELECT FROM conference_guests g
       WHERE g.enterprise_id = ? AND g.conference_id = ? AND ${contactSql} = input.contact)
     ORDER BY position
     ON CONFLICT (conference_id, (coalesce(email, phone))) DO NOTHING`,
    [
      ...[enterpriseId, id, at],
      JSON.stringify(
        contacts.map((one, position) => ({ ...one, position, contact: contactOf(one) })),
      ),
      ...[enterpriseId, id],
    ],
  );
}

/** Deletes guests that are not in the list. Returns the deleted ones. */
export async function deleteGuestsExcept(
  trx: Trx,
  { enterpriseId, id }: ConferenceRef,
  contacts: readonly GuestContact[],
): Promise<InvitedGuest[]> {
  const rows = await rowsOf<GuestRow>(
    trx,
    `DELETE FROM conference_guests g WHERE enterprise_id = ? AND conference_id = ?
       AND NOT ${contactSql} = ANY(?::text[])
     RETURNING id, email, phone, name, invited_at`,
    [enterpriseId, id, contacts.map(contactOf)],
  );
  return rows.map(toGuest);
}

/** All guests, in the order in which they were added. */
export async function listGuests(
  db: Queryable,
  { enterpriseId, id }: ConferenceRef,
): Promise<InvitedGuest[]> {
  const rows = await rowsOf<GuestRow>(
    db,
    `SELECT id, email, phone, name, invited_at FROM conference_guests
     WHERE enterprise_id = ? AND conference_id = ? ORDER BY id`,
    [enterpriseId, id],
  );
  return rows.map(toGuest);
}

function toGuest({ invited_at: invitedAt, ...rest }: GuestRow): InvitedGuest {
  return {
    ...rest,
    invitedAt,
  };
}

/** Stores when these guests were invited. */
export async function markInvited(
  trx: Trx,
  { enterpriseId, id }: ConferenceRef,
  guestIds: readonly number[],
  at: Date,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE conference_guests SET invited_at = ?
     WHERE enterprise_id = ? AND conference_id = ? AND id = ANY(?::bigint[])`,
    [at, enterpriseId, id, [...guestIds]],
  );
}

// Read model over the participations: a participant who rejoins is listed once.
const participantsSql = `
  SELECT 'invited' AS kind, 1 AS part, id AS position, name, email, phone, NULL AS role,
    NULL::bigint AS user_id, invited_at, NULL::timestamptz AS joined_at,
    NULL::timestamptz AS left_at, false AS is_present
  FROM conference_guests WHERE enterprise_id = :enterpriseId AND conference_id = :id
  UNION ALL
  SELECT 'attended', 2, min(t.id), (array_agg(nullif(t.name, '') ORDER BY t.id DESC))[1], NULL,
    NULL, (array_agg(t.role ORDER BY t.id DESC))[1], max(t.user_id), NULL, min(t.joined_at),
    CASE WHEN bool_or(t.left_at IS NULL) THEN NULL ELSE max(t.left_at) END,
    bool_or(t.left_at IS NULL)
  FROM participations t
  JOIN sessions s ON s.enterprise_id = t.enterprise_id AND s.id = t.session_id
  JOIN conferences c ON c.enterprise_id = s.enterprise_id
    AND c.conversation_id = s.conversation_id
  WHERE c.enterprise_id = :enterpriseId AND c.id = :id
  GROUP BY t.participant`;

/** One page of the invited guests followed by the attendees, and the total. */
export async function listParticipants(
  db: Queryable,
  { enterpriseId, id }: ConferenceRef,
  { limit, offset }: Readonly<{ limit: number; offset: number }>,
): Promise<{ total: number; participants: Participant[] }> {
  const result: { rows: ParticipantRow[] } = await db.raw(
    `WITH everybody AS (${participantsSql}),
       page AS (SELECT * FROM everybody ORDER BY part, position LIMIT :limit OFFSET :offset)
     SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM everybody) counted
     LEFT JOIN page ON true ORDER BY page.part, page.position`,
    { enterpriseId, id, limit, offset },
  );
  return {
    total: result.rows[0]?.total ?? 0,
    participants: result.rows.filter(({ kind }) => kind !== null).map(toParticipant),
  };
}

function toParticipant(row: ParticipantRow): Participant {
  return {
    kind: row.kind,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    userId: row.user_id,
    invitedAt: row.invited_at,
    joinedAt: row.joined_at,
    leftAt: row.left_at,
    isPresent: row.is_present,
  };
}
