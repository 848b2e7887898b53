import {
  type EntityRef,
  recordChange,
  type AdminActor,
  changesBetween,
  rejectDuplicates,
} from "../changes.ts";
import type { AuditLog } from "../../contracts/audit.ts";
import {
  invalidParameter,
  missingParameter,
  problem,
  orNotFound,
} from "../../contracts/problems.ts";
import { type Db, type Trx, rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { enterpriseChanged } from "../identities.ts";
import { lockUsersOf } from "../users/store.ts";
import type { UserGroup } from "./model.ts";
import type { GroupInput } from "./schema.ts";

/** The caller has checked access to the enterprise. */
export type UserGroups = {
  list(
    enterpriseId: number,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; groups: UserGroup[] }>;
  create(actor: AdminActor, enterpriseId: number, input: GroupInput): Promise<UserGroup>;
  /** `members` replaces all members. */
  update(
    actor: AdminActor,
    enterpriseId: number,
    change: { id: number; input: GroupInput },
  ): Promise<UserGroup>;
  /**
   * Rejects groups that tickets or services use: without its group, a service would be open to all
   * agents.
   */
  remove(actor: AdminActor, enterpriseId: number, id: number): Promise<void>;
};

const groupColumns = `g.id, g.name, coalesce((SELECT json_agg(json_build_object('id', u.id, 'login',
  u.login) ORDER BY u.login) FROM group_members m JOIN users u ON u.id = m.user_id
  WHERE m.group_id = g.id), '[]') AS members`;

export function createUserGroups({ db, audit }: { db: Db; audit: AuditLog<Trx> }): UserGroups {
  return {
    list: (enterpriseId, page) => listGroups(db, enterpriseId, page),
    create: (actor, enterpriseId, { name, members }) =>
      rejectDuplicates(() =>
        inTransaction(db, async (trx) => {
          if (name === undefined) {
            throw missingParameter("name");
          }
          await lockUsersOf(trx, enterpriseId);
          const id = await insertUserGroup(trx, enterpriseId, name);
          await replaceMembers(trx, { enterpriseId, id }, members);
          const group = await requireLockedGroup(trx, { enterpriseId, id });
          await recordChange(trx, audit, actor, {
            enterpriseId,
            action: "create",
            object: "group",
            objectId: id,
            changes: changesBetween({}, auditFields(group)),
          });
          return group;
        }),
      ),
    update: (actor, enterpriseId, { id, input }) =>
      rejectDuplicates(() =>
        inTransaction(db, async (trx) => {
          const ref = { enterpriseId, id };
          const before = await requireLockedGroup(trx, ref);
          if (input.name !== undefined) {
            await renameGroup(trx, ref, input.name);
          }
          await replaceMembers(trx, ref, input.members);
          const after = await requireLockedGroup(trx, ref);
          await recordChange(trx, audit, actor, {
            enterpriseId,
            action: "update",
            object: "group",
            objectId: id,
            changes: changesBetween(auditFields(before), auditFields(after)),
          });
          return after;
        }),
      ),
    remove: (actor, enterpriseId, id) =>
      inTransaction(db, async (trx) => {
        const ref = { enterpriseId, id };
        const group = await requireLockedGroup(trx, ref);
        if (await isGroupUsed(trx, ref)) {
          throw problem(
            "conflict",
            `Group ${id} is used by tickets or services. Remove it there first.`,
          );
        }
        await deleteGroup(trx, ref);
        await recordChange(trx, audit, actor, {
          enterpriseId,
          action: "delete",
          object: "group",
          objectId: id,
          changes: { name: { from: group.name } },
        });
      }),
  };
}

/** One page of the enterprise's groups, sorted by name, and the total. */
async function listGroups(
  db: Queryable,
  enterpriseId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; groups: UserGroup[] }> {
  const groups = await rowsOf<UserGroup>(
    db,
    `SELECT ${groupColumns} FROM groups g WHERE g.enterprise_id = ? ORDER BY g.name, g.id
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

/** Returns the id. Throws if the name exists. */
async function insertUserGroup(trx: Trx, enterpriseId: number, name: string): Promise<number> {
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

async function replaceMembers(
  trx: Trx,
  ref: EntityRef,
  members: number[] | undefined,
): Promise<void> {
  const [unknown] = members === undefined ? [] : await setMembers(trx, ref, members);
  if (members !== undefined && unknown !== undefined) {
    throw invalidParameter(
      `members[${members.indexOf(unknown)}]`,
      "unknown",
      `The enterprise has no user ${unknown}.`,
    );
  }
}

/** Replaces the members. Returns the ids that are not users of the enterprise. */
async function setMembers(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
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
  enterpriseChanged(trx, enterpriseId);
  const known = new Set(rows.map((row) => row.user_id));
  return userIds.filter((userId) => !known.has(userId));
}

async function requireLockedGroup(trx: Trx, { enterpriseId, id }: EntityRef): Promise<UserGroup> {
  // Locks the enterprise first, like every change of group membership (lock order).
  await lockUsersOf(trx, enterpriseId);
  return orNotFound(await lockGroup(trx, enterpriseId, id), "Group", id);
}

/** Locks the group until the commit, so that no new row can refer to it. */
async function lockGroup(
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
    `SELECT ${groupColumns} FROM groups g WHERE g.enterprise_id = ? AND g.id = ?`,
    [enterpriseId, id],
  );
  return row;
}

function auditFields({ name, members }: UserGroup) {
  return {
    name,
    members: members.map(({ id }) => id),
  };
}

/** Throws if the name exists. */
async function renameGroup(trx: Trx, { enterpriseId, id }: EntityRef, name: string): Promise<void> {
  await rowsOf(trx, "UPDATE groups SET name = ? WHERE enterprise_id = ? AND id = ?", [
    name,
    enterpriseId,
    id,
  ]);
}

/**
 * Whether tickets belong to the group, or services are restricted to it. A deleted service counts
 * only while it has tickets of nobody, which all agents would reach without the restriction.
 */
async function isGroupUsed(trx: Trx, { enterpriseId, id }: EntityRef): Promise<boolean> {
  const [row] = await rowsOf<{ used: boolean }>(
    trx,
    `SELECT EXISTS (SELECT FROM tickets WHERE enterprise_id = ? AND group_id = ?)
       OR EXISTS (SELECT FROM service_groups g JOIN services s ON s.id = g.service_id
         WHERE g.enterprise_id = ? AND g.group_id = ? AND (s.deleted_at IS NULL OR EXISTS (
           SELECT FROM tickets t WHERE t.enterprise_id = ? AND t.service_id = s.id
             AND t.agent_id IS NULL AND t.group_id IS NULL AND t.deleted_at IS NULL))) AS used`,
    [enterpriseId, id, enterpriseId, id, enterpriseId],
  );
  return row?.used === true;
}

/** Deletes an unused group and its memberships. */
async function deleteGroup(trx: Trx, { enterpriseId, id }: EntityRef): Promise<void> {
  await rowsOf(trx, "DELETE FROM groups WHERE enterprise_id = ? AND id = ?", [enterpriseId, id]);
  enterpriseChanged(trx, enterpriseId);
}
