import type { Scope } from "../contracts/permissions.ts";
import { all, countWhere, where, type Condition } from "../platform/db/conditions.ts";
import type { MediaState } from "../contracts/events.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { Media, ParentRef } from "./media.ts";
import { mediaColumns, parentIsThere, reachSql, toMedia, type MediaRow } from "./rows.ts";

export type MediaFilter = Readonly<{
  parent?: ParentRef | undefined;
  states?: readonly MediaState[] | undefined;
  since?: Date | undefined;
  /** Not included. */
  until?: Date | undefined;
}>;

export const orderings = ["date", "modified", "start_time", "id"] as const;

export type Ordering = (typeof orderings)[number];

export type MediaPage = Readonly<{
  orderby: Ordering;
  order: "asc" | "desc";
  limit: number;
  offset: number;
}>;

const sortColumn: Record<Ordering, string> = {
  date: "m.created_at",
  modified: "m.modified_at",
  start_time: "m.created_at",
  id: "m.id",
};

/** One page of the media that match and that the scope reaches; ties by id. */
export async function listMedia(
  db: Queryable,
  scope: Scope,
  filter: MediaFilter,
  page: MediaPage,
): Promise<Media[]> {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<MediaRow>(
    db,
    `SELECT ${mediaColumns} FROM media m WHERE ${sql}
      ORDER BY ${sortColumn[page.orderby]} ${direction}, m.id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toMedia);
}

/** How many match in all. */
export function countMedia(db: Queryable, scope: Scope, filter: MediaFilter): Promise<number> {
  return countWhere(db, "media m", matching(scope, filter));
}

function matching(scope: Scope, filter: MediaFilter): Condition {
  const { parent } = filter;
  return all([
    { sql: "m.enterprise_id = ? AND m.deleted_at IS NULL", bindings: [scope.enterpriseId] },
    // Who asks for the media of one parent was checked against that parent.
    ...(parent === undefined
      ? [{ sql: parentIsThere, bindings: [] }, reachSql(scope)]
      : where(`m.${parent.name}_id = ?`, parent.id)),
    ...where("m.state = ANY(?)", filter.states),
    ...where("m.created_at >= ?", filter.since),
    ...where("m.created_at < ?", filter.until),
  ]);
}
