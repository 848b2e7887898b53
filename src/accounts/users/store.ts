/** SQL of user administration. Deleted users are never found. */
import type { EntityRef } from "../changes.ts";
import type { Language } from "../../contracts/languages.ts";
import { administratorRoles, type Role } from "../../contracts/permissions.ts";
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { orderSql, type SortedPage } from "../fields.ts";
import type { Group } from "../enterprises/model.ts";
import { userChanged } from "../identities.ts";
import {
  allOf,
  likePattern,
  where,
  type SqlCondition,
  countWhere,
} from "../../platform/db/where.ts";
import type { User, UserSettings } from "./model.ts";

type UserRow = {
  id: number;
  enterprise_id: number;
  login: string;
  email: string;
  phone: string;
  firstname: string;
  lastname: string;
  nickname: string;
  role: Role;
  is_agent: boolean;
  is_active: boolean;
  account_type: User["accountType"];
  language: Language | null;
  external_id: string | null;
  photo_url: string | null;
  created_at: Date;
  modified_at: Date;
  groups: Group[];
};

const columns = `u.id, u.enterprise_id, u.login, u.email, u.phone, u.firstname, u.lastname,
  u.nickname, u.role, u.is_agent, u.is_active, u.account_type, u.language, u.external_id,
  u.photo_url, u.created_at, u.modified_at,
  coalesce((SELECT json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.name)
    FROM group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = u.id), '[]')
    AS groups`;

export type UserFilter = Readonly<{
  search: string | undefined;
  /** Name or id. */
  group: string | undefined;
  role: Role | undefined;
  isActive: boolean | undefined;
}>;

/** One page of the enterprise's users that match, and the total. */
export async function listUsers(
  db: Queryable,
  enterpriseId: number,
  filter: UserFilter,
  page: SortedPage,
): Promise<{ total: number; users: User[] }> {
  const { sql, bindings } = whereUsers(enterpriseId, filter);
  const rows = await rowsOf<UserRow>(
    db,
    `SELECT ${columns} FROM users u WHERE ${sql} ${orderSql(page, "u")} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return { total: await countWhere(db, "users u", { sql, bindings }), users: rows.map(toUser) };
}

function whereUsers(enterpriseId: number, filter: UserFilter): SqlCondition {
  const search = likePattern(filter.search);
  return allOf([
    { sql: "u.enterprise_id = ? AND u.deleted_at IS NULL", bindings: [enterpriseId] },
    ...where(
      "concat_ws(' ', u.login, u.email, u.nickname, u.firstname, u.lastname) ILIKE ?",
      search,
    ),
    ...where(
      `EXISTS (SELECT FROM group_members m JOIN groups g ON g.id = m.group_id
         WHERE m.user_id = u.id AND (g.name = ? OR g.id::text = ?))`,
      filter.group,
      filter.group,
    ),
    ...where("u.role = ?", filter.role),
    ...where("u.is_active = ?", filter.isActive),
  ]);
}

/**
 * Locks the enterprise until the end of the transaction. Serializes changes of its users, so that a
 * count holds until the commit. Returns the maximum number of users.
 */
export async function lockUsersOf(trx: Trx, enterpriseId: number): Promise<number | null> {
  const [row] = await rowsOf<{ max_users: number | null }>(
    trx,
    "SELECT max_users FROM enterprises WHERE id = ? FOR NO KEY UPDATE",
    [enterpriseId],
  );
  return row?.max_users ?? null;
}

/** Locks the user. Concurrent sign-ins wait for the commit and then see the change. */
export async function lockUser(
  trx: Trx,
  enterpriseId: number,
  userId: number,
): Promise<User | undefined> {
  await rowsOf(trx, "SELECT FROM users WHERE enterprise_id = ? AND id = ? FOR NO KEY UPDATE", [
    enterpriseId,
    userId,
  ]);
  return findFullUser(trx, enterpriseId, userId);
}

/** A user of the enterprise who is not deleted. */
export async function findFullUser(
  db: Queryable,
  enterpriseId: number,
  userId: number,
): Promise<User | undefined> {
  const [row] = await rowsOf<UserRow>(
    db,
    `SELECT ${columns} FROM users u
     WHERE u.enterprise_id = ? AND u.id = ? AND u.deleted_at IS NULL`,
    [enterpriseId, userId],
  );
  return row === undefined ? undefined : toUser(row);
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    login: row.login,
    email: row.email,
    phone: row.phone,
    firstname: row.firstname,
    lastname: row.lastname,
    nickname: row.nickname,
    role: row.role,
    isAgent: row.is_agent,
    isActive: row.is_active,
    accountType: row.account_type,
    language: row.language,
    external_id: row.external_id,
    photo_url: row.photo_url,
    groups: row.groups,
    created: row.created_at,
    modified: row.modified_at,
  };
}

/** Counts the active users, and the administrators among them. */
export async function countUsers(
  db: Queryable,
  enterpriseId: number,
): Promise<{ active: number; administrators: number }> {
  const [row] = await rowsOf<{ active: number; administrators: number }>(
    db,
    `SELECT count(*) AS active, count(*) FILTER (WHERE account_type = 'solution'
       AND role = ANY (?::text[])) AS administrators
     FROM users WHERE enterprise_id = ? AND is_active AND deleted_at IS NULL`,
    [[...administratorRoles], enterpriseId],
  );
  return row ?? { active: 0, administrators: 0 };
}

/** Returns the id. Fails if the login or external id is taken. */
export async function insertFullUser(
  trx: Trx,
  enterpriseId: number,
  user: UserSettings,
  passwordHash: string,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO users (login, email, phone, firstname, lastname, nickname, role, is_agent,
       is_active, account_type, language, external_id, photo_url, enterprise_id, password_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [...valuesOf(user), enterpriseId, passwordHash],
  );
  if (row === undefined) {
    throw new Error("The user was not stored");
  }
  return row.id;
}

/** Writes every setting of a locked user. Fails if the login or external id is taken. */
export async function updateUser(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
  user: UserSettings,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE users SET login = ?, email = ?, phone = ?, firstname = ?, lastname = ?, nickname = ?,
       role = ?, is_agent = ?, is_active = ?, account_type = ?, language = ?, external_id = ?,
       photo_url = ?, modified_at = now() WHERE enterprise_id = ? AND id = ?`,
    [...valuesOf(user), enterpriseId, id],
  );
  userChanged(trx, id);
}

function valuesOf(user: UserSettings): unknown[] {
  return [
    user.login,
    user.email,
    user.phone,
    user.firstname,
    user.lastname,
    user.nickname,
    user.role,
    user.isAgent,
    user.isActive,
    user.accountType,
    user.language,
    user.external_id,
    user.photo_url,
  ];
}

/** Replaces the user's groups. Returns the unknown ids. */
export async function setGroups(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
  groupIds: readonly number[],
): Promise<number[]> {
  await rowsOf(trx, "DELETE FROM group_members WHERE enterprise_id = ? AND user_id = ?", [
    enterpriseId,
    id,
  ]);
  const rows = await rowsOf<{ group_id: number }>(
    trx,
    `INSERT INTO group_members (enterprise_id, group_id, user_id)
     SELECT enterprise_id, id, ? FROM groups WHERE enterprise_id = ? AND id = ANY(?)
     RETURNING group_id`,
    [id, enterpriseId, groupIds],
  );
  userChanged(trx, id);
  const known = new Set(rows.map((row) => row.group_id));
  return groupIds.filter((groupId) => !known.has(groupId));
}

/**
 * Disables a user and removes personal data. The row stays, because tickets, media and audit
 * entries refer to it. The login can be used again. The login of the row has a blank, which
 * input cannot have: another enterprise could take a valid one, and so prevent the deletion.
 */
export async function anonymizeUser(trx: Trx, { enterpriseId, id }: EntityRef): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE users SET login = 'deleted ' || id, password_hash = 'none', is_active = false,
       email = '', phone = '', firstname = '', lastname = '', nickname = '', photo_url = NULL,
       external_id = NULL, language = NULL, deleted_at = now(), modified_at = now()
     WHERE enterprise_id = ? AND id = ?`,
    [enterpriseId, id],
  );
  userChanged(trx, id);
}
