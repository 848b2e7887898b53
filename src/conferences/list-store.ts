import { all, countWhere, type Condition } from "../platform/db/conditions.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { Conference, Scope } from "./conference.ts";
import type { ConferenceFilter, ConferenceSort } from "./filter.ts";
import { conferenceColumns, reachSql, toConference, type ConferenceRow } from "./rows.ts";

/** The text itself, not a pattern. */
const literally = (text: string): string => `%${text.replaceAll(/[\\%_]/gu, "\\$&")}%`;

const searching = (search: string | undefined): Condition[] =>
  search === undefined
    ? []
    : [
        {
          sql: "(c.name ILIKE ? OR c.id::text LIKE ? OR c.room_name ILIKE ?)",
          bindings: [literally(search), literally(search), literally(search)],
        },
      ];

const matching = (scope: Scope, { since, search, statuses }: ConferenceFilter): Condition => {
  const conditions: Condition[] = [
    { sql: "c.enterprise_id = ?", bindings: [scope.enterpriseId] },
    reachSql(scope),
    ...(since === undefined ? [] : [{ sql: "c.created_at >= ?", bindings: [since] }]),
    ...(statuses === undefined ? [] : [{ sql: "c.status = ANY(?)", bindings: [statuses] }]),
    ...searching(search),
  ];
  return all(conditions);
};

const sortColumn: Record<ConferenceSort["orderby"], string> = {
  date: "c.created_at",
  modified: "c.modified_at",
  start_time: "c.start_time",
  id: "c.id",
};

/** One page of the conferences that match and that the scope reaches; ties by id. */
export const listConferences = async (
  db: Queryable,
  scope: Scope,
  filter: ConferenceFilter,
  page: ConferenceSort & { limit: number; offset: number },
): Promise<Conference[]> => {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<ConferenceRow>(
    db,
    `SELECT ${conferenceColumns} FROM conferences c WHERE ${sql}
      ORDER BY ${sortColumn[page.orderby]} ${direction}, c.id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toConference);
};

/** How many match in all. */
export const countConferences = (
  db: Queryable,
  scope: Scope,
  filter: ConferenceFilter,
): Promise<number> => countWhere(db, "conferences c", matching(scope, filter));
