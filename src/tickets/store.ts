import type { TicketState } from "../contracts/events.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { Geoloc } from "../contracts/session-events.ts";
import { insertRow, rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { TicketFields } from "./input.ts";
import { agesAt } from "./model.ts";
import { fieldColumns, reachSql, ticketColumns, toTicket, type TicketRow } from "./rows.ts";
import type { Ticket } from "./ticket.ts";

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
    ...fieldColumns(ticket),
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
    ages_at: agesAt(ticket),
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
  { enterpriseId, ticketId }: { enterpriseId: number; ticketId: number },
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
  const reach = reachSql(scope);
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
      ...(update.fields === undefined ? {} : fieldColumns(update.fields)),
      ...(update.agentId === undefined ? {} : { agent_id: update.agentId }),
      ...(update.closeReason === undefined ? {} : { close_reason: update.closeReason }),
      ...(update.lastInvitedAt === undefined ? {} : { last_invited_at: update.lastInvitedAt }),
      ...(update.geoloc === undefined
        ? {}
        : { geoloc_lat: update.geoloc.lat, geoloc_lng: update.geoloc.lng }),
      state: update.state,
      modified_at: update.modifiedAt,
      ages_at: agesAt({ ...before, ...update.fields, ...update }),
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
