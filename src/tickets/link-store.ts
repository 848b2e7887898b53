import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { ticketColumns, toTicket, type TicketRow } from "./rows.ts";
import type { Ticket } from "./ticket.ts";

/** One of the two addresses that a customer has. */
export type TicketLink = Readonly<{ secret: string } | { informationCode: string }>;

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
export async function rememberUserAgent(
  trx: Trx,
  { id, enterpriseId, userAgent }: Pick<Ticket, "id" | "enterpriseId"> & { userAgent: string },
): Promise<void> {
  await trx("tickets").where({ id, enterprise_id: enterpriseId }).update({ user_agent: userAgent });
}
