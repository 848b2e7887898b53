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

const most = 1_000;

/**
 * Active people (no programs, no mere viewers) of the enterprise: everybody for who may see all
 * users or is in no group; else those of their groups, and the administrators.
 */
export const listColleagues = (
  db: Queryable,
  { enterpriseId, userId, groupIds, seesAll }: Viewer,
): Promise<Colleague[]> =>
  rowsOf<Colleague>(
    db,
    `SELECT u.id, coalesce(nullif(u.nickname, ''), u.login) AS nickname FROM users u
     WHERE u.enterprise_id = ? AND u.id <> ? AND u.is_active
       AND u.role NOT IN ('viewer', 'integration')
       AND (? OR u.role IN ('admin', 'superadmin') OR EXISTS (SELECT FROM group_members m
         WHERE m.user_id = u.id AND m.group_id = ANY(?::bigint[])))
     ORDER BY lower(coalesce(nullif(u.nickname, ''), u.login)), u.id LIMIT ${most}`,
    [enterpriseId, userId, seesAll || groupIds.length === 0, [...groupIds]],
  );

/** An active user of the enterprise, as others see them. */
export const findColleague = async (
  db: Queryable,
  enterpriseId: number,
  userId: number,
): Promise<Colleague | undefined> => {
  const [row] = await rowsOf<Colleague>(
    db,
    `SELECT id, coalesce(nullif(nickname, ''), login) AS nickname FROM users
     WHERE enterprise_id = ? AND id = ? AND is_active`,
    [enterpriseId, userId],
  );
  return row;
};
