import type { Scope } from "../contracts/permissions.ts";
import { all, countWhere, where, type Condition } from "../platform/db/conditions.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { Conference } from "./conference.ts";
import type { ConferenceFilter, ConferenceSort } from "./filter.ts";
import { conferenceColumns, reachSql, toConference, type ConferenceRow } from "./rows.ts";

const sortColumn: Record<ConferenceSort["orderby"], string> = {
  date: "c.created_at",
  modified: "c.modified_at",
  start_time: "c.start_time",
  id: "c.id",
};

/** One page of the conferences that match and that the scope reaches; ties by id. */
export async function listConferences(
  db: Queryable,
  scope: Scope,
  filter: ConferenceFilter,
  page: ConferenceSort & { limit: number; offset: number },
): Promise<Conference[]> {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<ConferenceRow>(
    db,
    `SELECT ${conferenceColumns} FROM conferences c WHERE ${sql}
      ORDER BY ${sortColumn[page.orderby]} ${direction}, c.id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toConference);
}

/** How many match in all. */
export function countConferences(
  db: Queryable,
  scope: Scope,
  filter: ConferenceFilter,
): Promise<number> {
  return countWhere(db, "conferences c", matching(scope, filter));
}

function matching(scope: Scope, { since, search, statuses }: ConferenceFilter): Condition {
  const base = all([
    { sql: "c.enterprise_id = ?", bindings: [scope.enterpriseId] },
    reachSql(scope),
    ...where("c.created_at >= ?", since),
    ...where("c.status = ANY(?)", statuses),
  ]);
  return search === undefined ? base : searching(base, search);
}

/** No index holds parts of words: only so many of the newest that match all else are read through. */
const searchedAtMost = 50_000;

function searching(base: Condition, search: string): Condition {
  return {
    sql: `c.id IN (
    SELECT c.id FROM (
      SELECT * FROM conferences c WHERE ${base.sql}
      ORDER BY c.created_at DESC, c.id DESC LIMIT ?
    ) AS c WHERE c.name ILIKE ? OR c.id::text LIKE ? OR c.room_name ILIKE ?)`,
    bindings: [
      ...base.bindings,
      searchedAtMost,
      ...[literally(search), literally(search), literally(search)],
    ],
  };
}

/** The text itself, not a pattern. */
function literally(text: string): string {
  return `%${text.replaceAll(/[\\%_]/gu, "\\$&")}%`;
}
