/** Inserts of the first enterprise, all in the transaction of `bootstrap.ts`. */
import type { Role } from "../contracts/permissions.ts";
import { advisoryLocks } from "../platform/db/session-locks.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";

export type InitialUser = {
  enterpriseId: number;
  login: string;
  passwordHash: string;
  role: Role;
  isAgent: boolean;
  firstname: string;
  lastname: string;
};

export type InitialService = {
  enterpriseId: number;
  name: string;
  kind: "ticket" | "conference";
  serviceKey: string;
};

/** Serializes concurrent starts until the commit. */
export async function lockBootstrap(trx: Trx): Promise<void> {
  await rowsOf(trx, "SELECT pg_advisory_xact_lock(?)", [advisoryLocks.firstStart]);
}

/** The oldest enterprise: the one of the first start. */
export async function findFirstEnterprise(db: Queryable): Promise<number | undefined> {
  const [row] = await rowsOf<{ id: number }>(db, "SELECT id FROM enterprises ORDER BY id LIMIT 1");
  return row?.id;
}

export async function hasEnterprise(db: Queryable): Promise<boolean> {
  const [row] = await rowsOf<{ found: boolean }>(
    db,
    "SELECT EXISTS (SELECT FROM enterprises) AS found",
  );
  return row?.found === true;
}

export function insertEnterprise(trx: Trx, name: string, apiKey: string): Promise<number> {
  return insertReturningId(trx, "INSERT INTO enterprises (name, api_key) VALUES (?, ?)", [
    name,
    apiKey,
  ]);
}

/** Uses the login as mail address if it looks like one. */
export function insertInitialUser(trx: Trx, user: InitialUser): Promise<number> {
  return insertReturningId(
    trx,
    `INSERT INTO users (enterprise_id, login, password_hash, role, is_agent, email, firstname,
       lastname, nickname) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      user.enterpriseId,
      user.login,
      user.passwordHash,
      user.role,
      user.isAgent,
      user.login.includes("@") ? user.login : "",
      user.firstname,
      user.lastname,
      `${user.firstname} ${user.lastname}`,
    ],
  );
}

/** A group with its members. */
export async function insertGroup(
  trx: Trx,
  { enterpriseId, name }: { enterpriseId: number; name: string },
  memberIds: readonly number[],
): Promise<void> {
  const groupId = await insertReturningId(
    trx,
    "INSERT INTO groups (enterprise_id, name) VALUES (?, ?)",
    [enterpriseId, name],
  );
  for (const userId of memberIds) {
    await rowsOf(
      trx,
      "INSERT INTO group_members (enterprise_id, group_id, user_id) VALUES (?, ?, ?)",
      [enterpriseId, groupId, userId],
    );
  }
}

/** A service with its one entry point. */
export async function insertInitialService(trx: Trx, service: InitialService): Promise<void> {
  const { enterpriseId, name, kind, serviceKey } = service;
  const serviceId = await insertReturningId(
    trx,
    "INSERT INTO services (enterprise_id, name, kind, service_key) VALUES (?, ?, ?, ?)",
    [enterpriseId, name, kind, serviceKey],
  );
  await rowsOf(trx, "INSERT INTO buttons (enterprise_id, service_id, name) VALUES (?, ?, ?)", [
    enterpriseId,
    serviceId,
    name,
  ]);
}

async function insertReturningId(
  trx: Trx,
  sql: string,
  bindings: readonly unknown[],
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(trx, `${sql} RETURNING id`, bindings);
  if (row === undefined) {
    throw new Error("The row was not stored");
  }
  return row.id;
}
