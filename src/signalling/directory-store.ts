/** The colleagues that somebody sees. */
import { rowsOf, type Queryable } from "../platform/db/pool.ts";

export type Viewer = Readonly<{
  enterpriseId: number;
  userId: number;
  groupIds: readonly number[];
  /** Managers and administrators see everybody. */
  seesAll: boolean;
}>;

export type Colleague = Readonly<{ id: number; nickname: string }>;

/** Over `users u`: whom the viewer sees. */
const seen = `u.role NOT IN ('viewer', 'integration')
  AND (? OR u.role IN ('admin', 'superadmin') OR EXISTS (SELECT FROM group_members m
    WHERE m.user_id = u.id AND m.group_id = ANY(?::bigint[])))`;

const most = 1_000;

/**
 * Active people (no programs, no mere viewers) of the enterprise: everybody for who may see all
 * users or is in no group; else those of their groups, and the administrators.
 */
export function listColleagues(db: Queryable, viewer: Viewer): Promise<Colleague[]> {
  return rowsOf<Colleague>(
    db,
    `SELECT u.id, coalesce(nullif(u.nickname, ''), u.login) AS nickname FROM users u
     WHERE u.enterprise_id = ? AND u.id <> ? AND u.is_active AND ${seen}
     ORDER BY lower(coalesce(nullif(u.nickname, ''), u.login)), u.id LIMIT ${most}`,
    [viewer.enterpriseId, viewer.userId, ...bindSeen(viewer)],
  );
}

/** Another active user of the enterprise, and whether the viewer sees them. */
export async function findColleague(
  db: Queryable,
  viewer: Viewer,
  id: number,
): Promise<{ colleague: Colleague; isSeen: boolean } | undefined> {
  const [row] = await rowsOf<Colleague & { is_seen: boolean }>(
    db,
    `SELECT u.id, coalesce(nullif(u.nickname, ''), u.login) AS nickname, (${seen}) AS is_seen
     FROM users u WHERE u.enterprise_id = ? AND u.id = ? AND u.id <> ? AND u.is_active`,
    [...bindSeen(viewer), viewer.enterpriseId, id, viewer.userId],
  );
  return row && { colleague: { id: row.id, nickname: row.nickname }, isSeen: row.is_seen };
}

function bindSeen({ seesAll, groupIds }: Viewer) {
  return [seesAll || groupIds.length === 0, [...groupIds]];
}
