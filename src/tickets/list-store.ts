import type { Scope } from "../contracts/permissions.ts";
import { all, countWhere, where, type Condition } from "../platform/db/conditions.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { TicketFilter, TicketSearch, TicketSort } from "./filter.ts";
import { reachSql, ticketColumns, toTicket, type TicketRow } from "./rows.ts";
import type { Ticket } from "./ticket.ts";

/** `newest`: of how many tickets, the newest that match everything else, a search reads the texts. */
type Asked = TicketFilter & Readonly<{ newest?: number }>;

const sortColumn: Record<TicketSort["orderby"], string> = {
  date: "t.created_at",
  modified: "t.modified_at",
  start_time: "t.start_time",
  id: "t.id",
};

/** One page of the tickets that match and that the scope reaches; ties by id. */
export async function listTickets(
  db: Queryable,
  scope: Scope,
  filter: Asked,
  page: TicketSort & { limit: number; offset: number },
): Promise<Ticket[]> {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<TicketRow>(
    db,
    `SELECT ${ticketColumns} FROM tickets t WHERE ${sql}
      ORDER BY ${sortColumn[page.orderby]} ${direction}, t.id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toTicket);
}

/** How many match in all; of a search, of those that it looked at. */
export function countTickets(db: Queryable, scope: Scope, filter: Asked): Promise<number> {
  return countWhere(db, "tickets t", matching(scope, filter));
}

/** Enough for every day; a search through millions would take a processor for seconds. */
const searchedAtMost = 50_000;

function matching(scope: Scope, { newest = searchedAtMost, ...filter }: Asked): Condition {
  const base = all([
    { sql: "t.enterprise_id = ? AND t.deleted_at IS NULL", bindings: [scope.enterpriseId] },
    reachSql(scope),
    ...where("t.reference = ?", filter.reference),
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
  return filter.search === undefined ? base : searchSql(base, filter.search, newest);
}

/**
 * No index holds parts of words: only the newest tickets are read through. What is named as a whole,
 * by id or reference, is found by its index however old it is.
 */
function searchSql(base: Condition, search: TicketSearch, newest: number): Condition {
  const parts = partsSql(search);
  const whole: Condition[] = [
    { sql: "t.reference = ?", bindings: [search.text] },
    ...where("t.id = ?", search.id),
  ];
  const named = whole.map((condition) => all([base, condition]));
  return {
    sql: `t.id IN (
      SELECT t.id FROM (
        SELECT * FROM tickets t WHERE ${base.sql}
        ORDER BY t.created_at DESC, t.id DESC LIMIT ?
      ) AS t WHERE ${parts.sql}
      ${named.map(({ sql }) => `UNION ALL SELECT t.id FROM tickets t WHERE ${sql}`).join(" ")})`,
    bindings: [
      ...base.bindings,
      newest,
      ...parts.bindings,
      ...named.flatMap(({ bindings }) => bindings),
    ],
  };
}

const searched = ["reference", "subject", "name", "requestor_email", "requestor_company"];

/** Whatever of the ticket the typed text may be a part of. */
function partsSql({ text, phoneDigits }: TicketSearch): Condition {
  const alternatives: Condition[] = [
    ...searched.map((column) => ({ sql: `t.${column} ILIKE ?`, bindings: [like(text)] })),
    {
      sql: "concat_ws(' ', t.requestor_firstname, t.requestor_lastname) ILIKE ?",
      bindings: [like(text)],
    },
    ...(phoneDigits === undefined
      ? []
      : [{ sql: "t.requestor_phone LIKE ?", bindings: [like(phoneDigits)] }]),
  ];
  return {
    sql: alternatives.map(({ sql }) => sql).join(" OR "),
    bindings: alternatives.flatMap(({ bindings }) => bindings),
  };
}

function like(text: string): string {
  return `%${text.replace(/[\\%_]/gu, "\\$&")}%`;
}
