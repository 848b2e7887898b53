import { all, countWhere, where, type Condition } from "../platform/db/conditions.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { TicketFilter, TicketSearch, TicketSort } from "./filter.ts";
import { reachSql, ticketColumns, toTicket, type TicketRow } from "./rows.ts";
import type { Scope, Ticket } from "./ticket.ts";

const like = (text: string): string => `%${text.replace(/[\\%_]/gu, "\\$&")}%`;

const searched = ["reference", "subject", "name", "requestor_email", "requestor_company"];

/** Whatever of the ticket the typed text may be. */
const searchSql = ({ text, phoneDigits, id }: TicketSearch): Condition => {
  const alternatives: Condition[] = [
    ...searched.map((column) => ({ sql: `t.${column} ILIKE ?`, bindings: [like(text)] })),
    {
      sql: "concat_ws(' ', t.requestor_firstname, t.requestor_lastname) ILIKE ?",
      bindings: [like(text)],
    },
    ...(phoneDigits === undefined
      ? []
      : [{ sql: "t.requestor_phone LIKE ?", bindings: [like(phoneDigits)] }]),
    ...(id === undefined ? [] : [{ sql: "t.id = ?", bindings: [id] }]),
  ];
  return {
    sql: `(${alternatives.map(({ sql }) => sql).join(" OR ")})`,
    bindings: alternatives.flatMap(({ bindings }) => bindings),
  };
};

const matching = (scope: Scope, filter: TicketFilter): Condition => {
  return all([
    { sql: "t.enterprise_id = ? AND t.deleted_at IS NULL", bindings: [scope.enterpriseId] },
    reachSql(scope),
    ...where("t.reference = ?", filter.reference),
    ...(filter.search === undefined ? [] : [searchSql(filter.search)]),
    ...where("t.state = ANY(?)", filter.states),
    ...where(
      "t.agent_id = (SELECT u.id FROM users u WHERE lower(u.login) = lower(?))",
      filter.agentLogin,
    ),
    ...where(
      "t.service_id = (SELECT s.id FROM services s WHERE s.service_key = ?)",
      filter.serviceKey,
    ),
    ...where("t.created_at >= ?", filter.since),
    ...where("t.created_at < ?", filter.until),
  ]);
};

const sortColumn: Record<TicketSort["orderby"], string> = {
  date: "t.created_at",
  modified: "t.modified_at",
  start_time: "t.start_time",
  id: "t.id",
};

/** One page of the tickets that match and that the scope reaches; ties by id. */
export const listTickets = async (
  db: Queryable,
  scope: Scope,
  filter: TicketFilter,
  page: TicketSort & { limit: number; offset: number },
): Promise<Ticket[]> => {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<TicketRow>(
    db,
    `SELECT ${ticketColumns} FROM tickets t WHERE ${sql}
      ORDER BY ${sortColumn[page.orderby]} ${direction}, t.id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toTicket);
};

/** How many match in all. */
export const countTickets = (db: Queryable, scope: Scope, filter: TicketFilter): Promise<number> =>
  countWhere(db, "tickets t", matching(scope, filter));
