import { ticketReachSql } from "../access/reach.ts";
import type { TicketFields } from "./fields.ts";
import type { TicketLink, TicketRef } from "../contracts/tickets.ts";
import type { TicketState } from "../contracts/events.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { Geoloc } from "../contracts/session-events.ts";
import { insertRow, rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { expiresAt, type Ticket } from "./model.ts";
import { ticketFieldColumns, ticketColumns, toTicket, type TicketRow } from "./rows.ts";

export type NewTicket = Omit<Ticket, "id"> &
  Readonly<{ createdBy: number | null; groupId: number | null }>;

/** A ticket of the enterprise, and whether it is among those that the scope reaches. */
export type FoundTicket = { ticket: Ticket; isInReach: boolean };

export type TicketUpdate = Readonly<{
  state: TicketState;
  modifiedAt: Date;
  lastInvitedAt?: Date;
  geoloc?: Geoloc;
  agentId?: number;
  closeReason?: "closed" | "cancelled";
  fields?: TicketFields;
}>;

/** Inserts a ticket. Out: its id. */
export function insertTicket(trx: Trx, ticket: NewTicket): Promise<number> {
  return insertRow(trx, "tickets", {
    ...ticketFieldColumns(ticket),
    enterprise_id: ticket.enterpriseId,
    conversation_id: ticket.conversationId,
    service_id: ticket.serviceId,
    button_id: ticket.buttonId,
    agent_id: ticket.agent?.id ?? null,
    created_by: ticket.createdBy,
    group_id: ticket.groupId,
    template_id: ticket.templateId,
    state: ticket.state,
    requestor_secret: ticket.requestorSecret,
    information_code: ticket.informationCode,
    created_at: ticket.createdAt,
    modified_at: ticket.modifiedAt,
    last_invited_at: ticket.lastInvitedAt,
    ages_at: expiresAt(ticket),
  });
}

/** A ticket that is not deleted. Other enterprises' tickets are not found. */
export function findTicket(
  db: Queryable,
  scope: Scope,
  id: number,
): Promise<FoundTicket | undefined> {
  return selectOne(db, scope, id, "");
}

/** The same for customers, rooms and timers, whom no scope limits. */
export async function lockTicketOf(
  trx: Trx,
  { enterpriseId, ticketId }: TicketRef,
): Promise<Ticket | undefined> {
  const everything = { enterpriseId, userId: 0, groupIds: [], reach: "all" } as const;
  return (await lockTicket(trx, everything, ticketId))?.ticket;
}

/** The same, locked until the end of the transaction: callers who want the same ticket queue up. */
export function lockTicket(trx: Trx, scope: Scope, id: number): Promise<FoundTicket | undefined> {
  return selectOne(trx, scope, id, "FOR UPDATE");
}

async function selectOne(
  db: Queryable,
  scope: Scope,
  id: number,
  lock: "" | "FOR UPDATE",
): Promise<FoundTicket | undefined> {
  const reach = ticketReachSql(scope);
  const [row] = await rowsOf<TicketRow & { is_in_reach: boolean | null }>(
    db,
    `SELECT ${ticketColumns}, ${reach.sql} AS is_in_reach
      FROM tickets t WHERE t.id = ? AND t.enterprise_id = ? AND t.deleted_at IS NULL ${lock}`,
    [...reach.bindings, id, scope.enterpriseId],
  );
  return row && { ticket: toTicket(row), isInReach: row.is_in_reach === true };
}

/**
 * Writes the change if the ticket is still in the state it was read in, which the lock promises
 * and the statement checks. Out: the ticket as it now is.
 */
export async function updateTicket(
  trx: Trx,
  before: Ticket,
  update: TicketUpdate,
): Promise<Ticket> {
  const { id, enterpriseId } = before;
  const rows: TicketRow[] = await trx("tickets as t")
    .where({ "t.id": id, "t.enterprise_id": enterpriseId, "t.state": before.state })
    .whereNull("t.deleted_at")
    .update({
      ...(update.fields === undefined ? {} : ticketFieldColumns(update.fields)),
      ...(update.agentId === undefined ? {} : { agent_id: update.agentId }),
      ...(update.closeReason === undefined ? {} : { close_reason: update.closeReason }),
      ...(update.lastInvitedAt === undefined ? {} : { last_invited_at: update.lastInvitedAt }),
      ...(update.geoloc === undefined
        ? {}
        : { geoloc_lat: update.geoloc.lat, geoloc_lng: update.geoloc.lng }),
      state: update.state,
      modified_at: update.modifiedAt,
      ages_at: expiresAt({ ...before, ...update.fields, ...update }),
    })
    .returning(trx.raw(ticketColumns));
  const row = rows[0];
  if (row === undefined) {
    throw new Error(`Ticket ${id} changed under its lock`);
  }
  return toTicket(row);
}

/** Soft delete: the row stays for the statistics until it is purged, and is found by nobody. */
export async function markTicketDeleted(
  trx: Trx,
  { id, enterpriseId }: Pick<Ticket, "id" | "enterpriseId">,
  at: Date,
): Promise<void> {
  await trx("tickets")
    .where({ id, enterprise_id: enterpriseId })
    .update({ deleted_at: at, modified_at: at });
}

/** The ticket of a link, whatever its enterprise. Deleted ones are not found. */
export async function findTicketByLink(
  db: Queryable,
  link: TicketLink,
): Promise<Ticket | undefined> {
  const { sql, binding } = conditionOf(link);
  const [row] = await rowsOf<TicketRow>(
    db,
    `SELECT ${ticketColumns} FROM tickets t WHERE ${sql} AND t.deleted_at IS NULL`,
    [binding],
  );
  return row && toTicket(row);
}

/** Whether the link belonged to a ticket that was deleted and is not purged yet. */
export async function isDeletedLink(db: Queryable, link: TicketLink): Promise<boolean> {
  const { sql, binding } = conditionOf(link);
  const rows = await rowsOf(
    db,
    `SELECT 1 FROM tickets t WHERE ${sql} AND t.deleted_at IS NOT NULL`,
    [binding],
  );
  return rows.length > 0;
}

function conditionOf(link: TicketLink): { sql: string; binding: string } {
  return "secret" in link
    ? { sql: "t.requestor_secret = ?", binding: link.secret }
    : { sql: "t.information_code = ?", binding: link.informationCode };
}

/** Keeps the browser of a locked ticket's customer. The ticket does not count as changed. */
export async function updateUserAgent(
  trx: Trx,
  { id, enterpriseId, userAgent }: Pick<Ticket, "id" | "enterpriseId"> & { userAgent: string },
): Promise<void> {
  await trx("tickets").where({ id, enterprise_id: enterpriseId }).update({ user_agent: userAgent });
}

type DueTicket = Readonly<{ id: number; enterpriseId: number }>;

/**
 * Tickets whose state leads on by now and that no open task looks after yet, oldest first, at most
 * `limit`. Locked, and passed over where somebody else holds them: two processes plan none twice.
 */
export async function lockDueTickets(
  trx: Trx,
  { at, limit }: { at: Date; limit: number },
): Promise<DueTicket[]> {
  const rows = await rowsOf<{ id: number; enterprise_id: number }>(
    trx,
    `SELECT t.id, t.enterprise_id FROM tickets t
      WHERE t.ages_at <= ? AND t.ages_at IS NOT NULL AND t.deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM tasks k WHERE k.kind = 'ticket.age'
          AND k.key = 'ticket:' || t.id AND k.state IN ('waiting', 'queued', 'running'))
      ORDER BY t.ages_at LIMIT ? FOR UPDATE OF t SKIP LOCKED`,
    [at, limit],
  );
  return rows.map((row) => ({ id: row.id, enterpriseId: row.enterprise_id }));
}

/** Marks a locked ticket as reminded of its planned start. Out: false where it was before. */
export async function markReminded(
  trx: Trx,
  { id, enterpriseId, startTime }: Pick<Ticket, "id" | "enterpriseId" | "startTime">,
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `UPDATE tickets SET reminded_of = start_time
      WHERE id = ? AND enterprise_id = ? AND start_time = ?
        AND reminded_of IS DISTINCT FROM start_time RETURNING id`,
    [id, enterpriseId, startTime],
  );
  return rows.length > 0;
}

/** Puts the time of a locked ticket right. Nobody is told: the ticket itself does not change. */
export async function updateExpiry(
  trx: Trx,
  { id, enterpriseId }: Pick<Ticket, "id" | "enterpriseId">,
  agesAt: Date | null,
): Promise<void> {
  await rowsOf(trx, "UPDATE tickets SET ages_at = ? WHERE id = ? AND enterprise_id = ?", [
    agesAt,
    id,
    enterpriseId,
  ]);
}
