import type { TicketState } from "../contracts/events.ts";
import type { Channel, InvitationClick } from "../contracts/invitations.ts";
import { canMeet } from "../contracts/tickets.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { optedOut, type Message } from "./model.ts";

/** The subject of an invitation: either a ticket or a conference. */
export type InvitationSubject = Readonly<{
  enterpriseId: number;
  ticketId: number | null;
  conferenceId: number | null;
}>;

export type EarlierInvitations = Readonly<{
  channel: Channel;
  total: number;
  recent: number;
  lastAt: Date;
}>;

/**
 * Whether a message with the link of its subject comes too late: the link no longer works, or the
 * recipient has a later invitation or cancellation, perhaps of another date.
 */
export async function isOutdated(db: Queryable, message: Message): Promise<boolean> {
  return (await isSubjectOver(db, message)) || (await isSuperseded(db, message));
}

/** Of the messages of a conference, only reminders by email have no calendar entry. */
async function isSuperseded(
  db: Queryable,
  { id, enterpriseId, ticketId, conferenceId, channel, recipient }: Message,
): Promise<boolean> {
  const later = "n.channel = ? AND n.recipient = ? AND n.id > ?";
  const sql =
    ticketId === null
      ? `SELECT 1 FROM messages n WHERE n.enterprise_id = ? AND n.conference_id = ? AND ${later}
           AND (n.channel = 'sms' OR n.calendar IS NOT NULL) LIMIT 1`
      : `SELECT 1 FROM invitations i
           JOIN messages n ON n.enterprise_id = i.enterprise_id AND n.id = i.message_id
         WHERE i.enterprise_id = ? AND i.ticket_id = ? AND ${later} LIMIT 1`;
  const bindings = [enterpriseId, ticketId ?? conferenceId, channel, recipient, id];
  return (await rowsOf(db, sql, bindings)).length > 0;
}

async function isSubjectOver(
  db: Queryable,
  { enterpriseId, ticketId, conferenceId }: InvitationSubject,
): Promise<boolean> {
  if (ticketId === null) {
    const conferences = await rowsOf(
      db,
      `SELECT 1 FROM conferences
       WHERE enterprise_id = ? AND id = ? AND status IN ('scheduled', 'ongoing')`,
      [enterpriseId, conferenceId],
    );
    return conferences.length === 0;
  }
  const [ticket] = await rowsOf<{ state: TicketState }>(
    db,
    "SELECT state FROM tickets WHERE enterprise_id = ? AND id = ? AND deleted_at IS NULL",
    [enterpriseId, ticketId],
  );
  return ticket === undefined || !canMeet(ticket.state);
}

export async function insertInvitation(
  trx: Trx,
  subject: InvitationSubject,
  { messageId, channel, at }: Readonly<{ messageId: number; channel: Channel; at: Date }>,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO invitations (enterprise_id, ticket_id, conference_id, message_id, channel, created_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
    [subject.enterpriseId, subject.ticketId, subject.conferenceId, messageId, channel, at],
  );
  return (row as { id: number }).id;
}

/** Earlier invitations of a ticket per channel; `recent` counts those made after `since`. */
export async function countInvitations(
  db: Queryable,
  { enterpriseId, ticketId }: Pick<InvitationSubject, "enterpriseId" | "ticketId">,
  since: Date,
): Promise<EarlierInvitations[]> {
  const rows = await rowsOf<{ channel: Channel; total: number; recent: number; last_at: Date }>(
    db,
    `SELECT channel, count(*) AS total, count(*) FILTER (WHERE created_at > ?) AS recent,
       max(created_at) AS last_at
     FROM invitations WHERE enterprise_id = ? AND ticket_id = ? GROUP BY channel`,
    [since, enterpriseId, ticketId],
  );
  return rows.map(({ channel, total, recent, last_at: lastAt }) => ({
    channel,
    total,
    recent,
    lastAt,
  }));
}

/** How many calendar entries each address has received about the subject. */
export async function countCalendars(
  db: Queryable,
  { enterpriseId, ticketId, conferenceId }: InvitationSubject,
): Promise<Map<string, number>> {
  const rows = await rowsOf<{ recipient: string; total: number }>(
    db,
    `SELECT recipient, count(*) AS total FROM messages
     WHERE enterprise_id = ? AND (ticket_id = ? OR conference_id = ?) AND calendar IS NOT NULL
     GROUP BY recipient`,
    [enterpriseId, ticketId, conferenceId],
  );
  return new Map(rows.map(({ recipient, total }) => [recipient, total]));
}

/**
 * The numbers that opted out of SMS and have a failed message about the conference that says so. An
 * HL7 system may repeat an appointment very often.
 */
export async function findKnownOptOuts(
  db: Queryable,
  { enterpriseId, conferenceId }: Pick<InvitationSubject, "enterpriseId" | "conferenceId">,
): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ recipient: string }>(
    db,
    `SELECT m.recipient FROM messages m
     JOIN opt_outs o ON o.enterprise_id = m.enterprise_id AND o.phone = m.recipient
     WHERE m.enterprise_id = ? AND m.conference_id = ? AND m.status = 'failed' AND m.error = ?`,
    [enterpriseId, conferenceId, optedOut],
  );
  return new Set(rows.map(({ recipient }) => recipient));
}

/** After how many minutes an invitation of the service counts as not clicked. */
export async function findNotClickedMinutes(
  db: Queryable,
  enterpriseId: number,
  serviceId: number,
): Promise<number> {
  const [row] = await rowsOf<{ minutes: number }>(
    db,
    "SELECT not_clicked_minutes AS minutes FROM services WHERE enterprise_id = ? AND id = ?",
    [enterpriseId, serviceId],
  );
  return row?.minutes ?? 15;
}

/**
 * Records the first click on an invitation of the ticket; without an id, on the latest one.
 * Undefined if it was clicked before or belongs to another ticket. Of two concurrent clicks, one
 * wins.
 */
export async function markClicked(trx: Trx, click: InvitationClick): Promise<number | undefined> {
  const { enterpriseId, ticketId, invitationId = null, at } = click;
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `UPDATE invitations SET clicked_at = ?
     WHERE enterprise_id = ? AND ticket_id = ? AND clicked_at IS NULL
       AND id = coalesce(?, (SELECT max(id) FROM invitations
         WHERE enterprise_id = ? AND ticket_id = ?))
     RETURNING id`,
    [at, enterpriseId, ticketId, invitationId, enterpriseId, ticketId],
  );
  return row?.id;
}

/**
 * Records that an invitation was not clicked. Undefined if it was clicked, or if this is recorded
 * already. All invitations of a ticket carry the same link, so a click counts for every invitation
 * sent before it.
 */
export async function markNotClicked(
  trx: Trx,
  {
    enterpriseId,
    invitationId,
    at,
  }: Readonly<{ enterpriseId: number; invitationId: number; at: Date }>,
): Promise<{ ticketId: number } | undefined> {
  const [row] = await rowsOf<{ ticket_id: number }>(
    trx,
    `UPDATE invitations i SET not_clicked_at = ?
     WHERE i.enterprise_id = ? AND i.id = ? AND i.ticket_id IS NOT NULL
       AND i.not_clicked_at IS NULL
       AND NOT EXISTS (SELECT FROM invitations o WHERE o.enterprise_id = i.enterprise_id
         AND o.ticket_id = i.ticket_id AND o.clicked_at >= i.created_at)
     RETURNING i.ticket_id`,
    [at, enterpriseId, invitationId],
  );
  return row && { ticketId: row.ticket_id };
}
