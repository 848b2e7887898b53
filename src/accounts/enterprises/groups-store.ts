import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import type { UserGroup } from "./model.ts";

const columns = `g.id, g.name, coalesce((SELECT json_agg(json_build_object('id', u.id, 'login',
  u.login) ORDER BY u.login) FROM group_members m JOIN users u ON u.id = m.user_id
  WHERE m.group_id = g.id), '[]') AS members`;

/** One page of the enterprise's groups, by name, and how many there are. */
export async function listGroups(
  db: Queryable,
  enterpriseId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; groups: UserGroup[] }> {
  const groups = await rowsOf<UserGroup>(
    db,
    `SELECT ${columns} FROM groups g WHERE g.enterprise_id = ? ORDER BY g.name, g.id
     LIMIT ? OFFSET ?`,
    [enterpriseId, limit, offset],
  );
  const [counted] = await rowsOf<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM groups WHERE enterprise_id = ?",
    [enterpriseId],
  );
  return { total: counted?.count ?? 0, groups };
}

/** Locks the group until the end of the transaction: nothing new can refer to it meanwhile. */
export async function lockGroup(
  trx: Trx,
  enterpriseId: number,
  id: number,
): Promise<UserGroup | undefined> {
  await rowsOf(trx, "SELECT FROM groups WHERE enterprise_id = ? AND id = ? FOR UPDATE", [
    enterpriseId,
    id,
  ]);
  return findUserGroup(trx, enterpriseId, id);
}

async function findUserGroup(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<UserGroup | undefined> {
  const [row] = await rowsOf<UserGroup>(
    db,
    `SELECT ${columns} FROM groups g WHERE g.enterprise_id = ? AND g.id = ?`,
    [enterpriseId, id],
  );
  return row;
}

/** Out: the id. Fails where the name is taken. */
export async function insertUserGroup(
  trx: Trx,
  enterpriseId: number,
  name: string,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    "INSERT INTO groups (enterprise_id, name) VALUES (?, ?) RETURNING id",
    [enterpriseId, name],
  );
  if (row === undefined) {
    throw new Error("The group was not stored");
  }
  return row.id;
}

/** Fails where the name is taken. */
export async function renameGroup(
  trx: Trx,
  { enterpriseId, id }: { enterpriseId: number; id: number },
  name: string,
): Promise<void> {
  await rowsOf(trx, "UPDATE groups SET name = ? WHERE enterprise_id = ? AND id = ?", [
    name,
    enterpriseId,
    id,
  ]);
}

/** Makes these users, and no others, the members. Out: the ids that are no user's. */
export async function setMembers(
  trx: Trx,
  { enterpriseId, id }: { enterpriseId: number; id: number },
  userIds: readonly number[],
): Promise<number[]> {
  await rowsOf(trx, "DELETE FROM group_members WHERE enterprise_id = ? AND group_id = ?", [
    enterpriseId,
    id,
  ]);
  const rows = await rowsOf<{ user_id: number }>(
    trx,
    `INSERT INTO group_members (enterprise_id, group_id, user_id)
     SELECT enterprise_id, ?, id FROM users
     WHERE enterprise_id = ? AND id = ANY(?) AND deleted_at IS NULL RETURNING user_id`,
    [id, enterpriseId, userIds],
  );
  const known = new Set(rows.map((row) => row.user_id));
  return userIds.filter((userId) => !known.has(userId));
}

/** Whether tickets belong to the group, or services are kept to it. */
export async function isGroupUsed(
  trx: Trx,
  { enterpriseId, id }: { enterpriseId: number; id: number },
): Promise<boolean> {
  const [row] = await rowsOf<{ used: boolean }>(
    trx,
    `SELECT EXISTS (SELECT FROM tickets WHERE enterprise_id = ? AND group_id = ?)
       OR EXISTS (SELECT FROM service_groups WHERE enterprise_id = ? AND group_id = ?) AS used`,
    [enterpriseId, id, enterpriseId, id],
  );
  return row?.used === true;
}

/** Deletes a group that nothing uses; its members are in one group less. */
export async function deleteGroup(
  trx: Trx,
  { enterpriseId, id }: { enterpriseId: number; id: number },
): Promise<void> {
  await rowsOf(trx, "DELETE FROM groups WHERE enterprise_id = ? AND id = ?", [enterpriseId, id]);
}
