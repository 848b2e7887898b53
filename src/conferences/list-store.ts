import { conferenceReachSql } from "../access/reach.ts";
import type { Scope } from "../contracts/permissions.ts";
import { allOf, countWhere, where, type SqlCondition, likePattern } from "../platform/db/where.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { Conference, ConferenceStatus } from "./model.ts";
import { conferenceColumns, toConference, type ConferenceRow } from "./rows.ts";
import { parseBound, splitCommaList } from "../http/values.ts";
import type { ListConferencesQuery, ConferenceOrdering } from "./schema.ts";

/** Filter of the list. */
export type ConferenceFilter = Readonly<{
  since: Date | undefined;
  search: string | undefined;
  statuses: readonly ConferenceStatus[] | undefined;
}>;

export type ConferenceSort = Readonly<{ orderby: ConferenceOrdering; order: "asc" | "desc" }>;

const sortColumn: Record<ConferenceSort["orderby"], string> = {
  date: "c.created_at",
  modified: "c.modified_at",
  start_time: "c.start_time",
  id: "c.id",
};

/** One page of matching conferences within reach; ties by id. */
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

/** Total matches. */
export function countConferences(
  db: Queryable,
  scope: Scope,
  filter: ConferenceFilter,
): Promise<number> {
  return countWhere(db, "conferences c", matching(scope, filter));
}

function matching(scope: Scope, { since, search, statuses }: ConferenceFilter): SqlCondition {
  const base = allOf([
    { sql: "c.enterprise_id = ?", bindings: [scope.enterpriseId] },
    conferenceReachSql(scope),
    ...where("c.created_at >= ?", since),
    ...where("c.status = ANY(?)", statuses),
  ]);
  return search === undefined ? base : searchCondition(base, search);
}

/** No index supports substrings: a text search scans this many of the newest conferences. */
const maxSearchedConferences = 50_000;

function searchCondition(base: SqlCondition, search: string): SqlCondition {
  return {
    sql: `c.id IN (
    SELECT c.id FROM (
      SELECT * FROM conferences c WHERE ${base.sql}
      ORDER BY c.created_at DESC, c.id DESC LIMIT ?
    ) AS c WHERE c.name ILIKE ? OR c.id::text LIKE ? OR c.room_name ILIKE ?)`,
    bindings: [
      ...base.bindings,
      maxSearchedConferences,
      ...[likePattern(search), likePattern(search), likePattern(search)],
    ],
  };
}

export function parseConferenceFilter(query: ListConferencesQuery): ConferenceFilter {
  return {
    since: parseBound("since", query.since),
    search: query.search?.trim() === "" ? undefined : query.search,
    statuses: parseStatuses(query.status),
  };
}

/** Checked by the schema. */
function parseStatuses(text: string | undefined): readonly ConferenceStatus[] | undefined {
  const words = splitCommaList(text ?? "");
  return words.length === 0 ? undefined : (words as ConferenceStatus[]);
}

export function parseConferenceSort(query: ListConferencesQuery): ConferenceSort {
  return {
    orderby: query.orderby ?? "date",
    order: query.order ?? "desc",
  };
}
