import type { Ordering } from "../http/schema.ts";
import { ticketReachSql } from "../access/reach.ts";
import type { Scope } from "../contracts/permissions.ts";
import { allOf, countWhere, where, type SqlCondition, likePattern } from "../platform/db/where.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import { ticketColumns, toTicket, type TicketRow } from "./store.ts";
import type { Ticket } from "./model.ts";
import { parseBound, splitCommaList } from "../http/values.ts";
import type { TicketState } from "../contracts/events.ts";
import type { ListTicketsQuery } from "./schema.ts";

/** `newest`: how many of the newest tickets a text search scans. */
type TicketListFilter = TicketFilter & Readonly<{ newest?: number }>;

/** The possible meanings of a search text. */
export type TicketSearch = Readonly<{
  /** Matched case-insensitively in reference, subject, names and addresses. */
  text: string;
  /** Digits of an international phone number; undefined if the text is not a phone number. */
  phoneDigits: string | undefined;
  id: number | undefined;
}>;

export type TicketFilter = Readonly<{
  reference: string | undefined;
  search: TicketSearch | undefined;
  states: readonly TicketState[] | undefined;
  agentLogin: string | undefined;
  serviceKey: string | undefined;
  since: Date | undefined;
  /** Exclusive upper bound. */
  until: Date | undefined;
}>;

export type TicketSort = Readonly<{ orderby: Ordering; order: "asc" | "desc" }>;

/** `modified_bin` is indexed: only the changes of five minutes are sorted. */
const sortColumns: Record<TicketSort["orderby"], readonly string[]> = {
  date: ["t.created_at", "t.id"],
  modified: ["t.modified_bin", "t.modified_at", "t.id"],
  start_time: ["t.start_time", "t.id"],
  id: ["t.id"],
};

/** One page of matching tickets within reach; ties by id. */
export async function listTickets(
  db: Queryable,
  scope: Scope,
  filter: TicketListFilter,
  page: TicketSort & { limit: number; offset: number },
): Promise<Ticket[]> {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const columns = sortColumns[page.orderby].map((column) => `${column} ${direction}`);
  const rows = await rowsOf<TicketRow>(
    db,
    `SELECT ${ticketColumns} FROM tickets t WHERE ${sql}
      ORDER BY ${columns.join(", ")} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toTicket);
}

/** Total matches; for a text search, matches among the scanned tickets. */
export function countTickets(
  db: Queryable,
  scope: Scope,
  filter: TicketListFilter,
): Promise<number> {
  return countWhere(db, "tickets t", matching(scope, filter));
}

/** A scan of millions of tickets would take seconds of CPU. */
const maxSearchedTickets = 50_000;

function matching(
  scope: Scope,
  { newest = maxSearchedTickets, ...filter }: TicketListFilter,
): SqlCondition {
  const base = allOf([
    { sql: "t.enterprise_id = ? AND t.deleted_at IS NULL", bindings: [scope.enterpriseId] },
    ticketReachSql(scope),
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
 * Substrings are not indexed, so only the newest tickets are scanned. Exact matches of id and
 * reference use an index, whatever the age.
 */
function searchSql(base: SqlCondition, search: TicketSearch, newest: number): SqlCondition {
  const parts = substringSql(search);
  const whole: SqlCondition[] = [
    { sql: "t.reference = ?", bindings: [search.text] },
    ...where("t.id = ?", search.id),
  ];
  const named = whole.map((condition) => allOf([base, condition]));
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

const searchedColumns = ["reference", "subject", "name", "requestor_email", "requestor_company"];

/** Columns that may contain the text. */
function substringSql({ text, phoneDigits }: TicketSearch): SqlCondition {
  const alternatives: SqlCondition[] = [
    ...searchedColumns.map((column) => ({
      sql: `t.${column} ILIKE ?`,
      bindings: [likePattern(text)],
    })),
    {
      sql: "concat_ws(' ', t.requestor_firstname, t.requestor_lastname) ILIKE ?",
      bindings: [likePattern(text)],
    },
    ...(phoneDigits === undefined
      ? []
      : [{ sql: "t.requestor_phone LIKE ?", bindings: [likePattern(phoneDigits)] }]),
  ];
  return {
    sql: alternatives.map(({ sql }) => sql).join(" OR "),
    bindings: alternatives.flatMap(({ bindings }) => bindings),
  };
}

export function parseTicketFilter(query: ListTicketsQuery): TicketFilter {
  return {
    reference: nonBlank(query.reference),
    search: parseSearch(query.search),
    states: parseStates(query.state),
    agentLogin: nonBlank(query.agent),
    serviceKey: nonBlank(query.service_key),
    since: parseBound("since", query.since),
    until: parseBound("until", query.until),
  };
}

const phone = /^\+?[\d\s().\-/]{4,}$/u;

const ticketId = /^#?([1-9]\d{0,14})$/u;

function parseSearch(input: string | undefined): TicketSearch | undefined {
  const text = nonBlank(input)?.trim();
  if (text === undefined) {
    return undefined;
  }
  // The international form contains the national number without its leading zeros.
  const digits = phone.test(text) ? text.replace(/\D/gu, "").replace(/^0+/u, "") : "";
  const id = ticketId.exec(text)?.[1];
  return {
    text,
    phoneDigits: digits.length < 4 ? undefined : digits,
    id: id === undefined ? undefined : Number(id),
  };
}

/** An empty parameter counts as absent. */
function nonBlank(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** Checked by the schema. */
function parseStates(text: string | undefined): readonly TicketState[] | undefined {
  const words = splitCommaList(text ?? "");
  return words.length === 0 ? undefined : (words as TicketState[]);
}

export function parseTicketSort(query: ListTicketsQuery): TicketSort {
  return {
    orderby: query.orderby ?? "date",
    order: query.order ?? "desc",
  };
}
