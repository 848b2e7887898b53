/** The first enterprise and the first superadmin of a new platform. */
import type { AuditLog } from "../contracts/audit.ts";
import { type Db, type Trx, rowsOf, type Queryable, advisoryLocks } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { Ids } from "../platform/ids.ts";
import { meetsPasswordRule, passwordRule } from "../contracts/password-rule.ts";
import { generatePassword, type Passwords } from "./credentials.ts";
import type { Role } from "../contracts/permissions.ts";
import { userChanged } from "./identities.ts";

export type InitialLogin = Readonly<{ login: string; password: string | undefined }>;

export type BootstrapDeps = {
  admin: InitialLogin;
  agent: InitialLogin;
  ids: Pick<Ids, "base62" | "hex" | "key">;
  passwords: Pick<Passwords, "hash">;
};

export type FirstLogin = Readonly<{ login: string; password: string; isGenerated: boolean }>;

export type Bootstrapped = Readonly<{ enterpriseId: number; admin: FirstLogin; agent: FirstLogin }>;

/** Lists all invalid logins and passwords. Never contains a password. */
export class BootstrapError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The first users cannot be created: ${faults.join("; ")}`);
    this.name = "FirstStartError";
    this.faults = faults;
  }
}

/** The services of a new enterprise. */
export const initialServices = [
  { name: "Video assistance", kind: "ticket" },
  { name: "Video meeting", kind: "conference" },
] as const;

/** The configuration names the first superadmin; superadmins appoint the others. */
export type SuperadminDeps = Readonly<{ db: Db; audit: AuditLog<Trx> }>;

/** `unknown`: no active user has this login. */
export type SuperadminOutcome = "granted" | "unchanged" | "unknown";

/** Inserts of the first enterprise. */
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

/**
 * Creates the enterprise "Demo" with an administrator, an agent and two services. Returns undefined
 * if an enterprise exists. If several processes start at once, only one creates it. The result
 * contains the passwords, to be printed once.
 */
export async function ensureFirstEnterprise(
  db: Db,
  deps: BootstrapDeps,
): Promise<Bootstrapped | undefined> {
  if (await hasEnterprise(db)) {
    return undefined;
  }
  checkInitialLogins(deps);
  return inTransaction(db, async (trx) => {
    await lockBootstrap(trx);
    return (await hasEnterprise(trx)) ? undefined : insertDemoEnterprise(trx, deps);
  });
}

async function hasEnterprise(db: Queryable): Promise<boolean> {
  const [row] = await rowsOf<{ found: boolean }>(
    db,
    "SELECT EXISTS (SELECT FROM enterprises) AS found",
  );
  return row?.found === true;
}

function checkInitialLogins({ admin, agent }: BootstrapDeps): void {
  const faults = [...faultsOf("administrator", admin), ...faultsOf("agent", agent)];
  if (admin.login.toLowerCase() === agent.login.toLowerCase()) {
    faults.push("The first administrator and the first agent need different logins");
  }
  if (faults.length > 0) {
    throw new BootstrapError(faults);
  }
}

function faultsOf(who: string, { login, password }: InitialLogin): string[] {
  const faults: string[] = [];
  if (!/^\S{1,255}$/u.test(login)) {
    faults.push(`The login of the first ${who} must have 1 to 255 characters and no spaces`);
  }
  if (password !== undefined && !meetsPasswordRule(password)) {
    faults.push(`The password of the first ${who} needs ${passwordRule}`);
  }
  return faults;
}

/** Serializes concurrent starts until the commit. */
async function lockBootstrap(trx: Trx): Promise<void> {
  await rowsOf(trx, "SELECT pg_advisory_xact_lock(?)", [advisoryLocks.firstStart]);
}

/** Creates the enterprise "Demo" with an administrator, an agent and two services. */
export async function insertDemoEnterprise(trx: Trx, deps: BootstrapDeps): Promise<Bootstrapped> {
  const { ids, passwords } = deps;
  const admin = toFirstLogin(deps.admin, ids);
  const agent = toFirstLogin(deps.agent, ids);
  const enterpriseId = await insertEnterprise(trx, "Demo", ids.hex(16));
  await insertInitialUser(trx, {
    enterpriseId,
    login: admin.login,
    passwordHash: await passwords.hash(admin.password),
    role: "admin",
    isAgent: false,
    firstname: "Demo",
    lastname: "Administrator",
  });
  const agentId = await insertInitialUser(trx, {
    enterpriseId,
    login: agent.login,
    passwordHash: await passwords.hash(agent.password),
    role: "agent",
    isAgent: true,
    firstname: "Demo",
    lastname: "Agent",
  });
  await insertGroup(trx, { enterpriseId, name: "Support" }, [agentId]);
  for (const service of initialServices) {
    await insertInitialService(trx, { enterpriseId, ...service, serviceKey: ids.key(32) });
  }
  return { enterpriseId, admin, agent };
}

function toFirstLogin({ login, password }: InitialLogin, ids: BootstrapDeps["ids"]): FirstLogin {
  return {
    login,
    password: password ?? generatePassword(ids),
    isGenerated: password === undefined,
  };
}

export function insertEnterprise(trx: Trx, name: string, apiKey: string): Promise<number> {
  return insertReturningId(trx, "INSERT INTO enterprises (name, api_key) VALUES (?, ?)", [
    name,
    apiKey,
  ]);
}

/** Uses the login as the mail address if it looks like one. */
function insertInitialUser(trx: Trx, user: InitialUser): Promise<number> {
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
async function insertGroup(
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

/** A service with one entry point. */
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

/** Grants the role superadmin to the active user with this login, with one audit entry. */
export function ensureSuperadmin(
  { db, audit }: SuperadminDeps,
  login: string,
): Promise<SuperadminOutcome> {
  return inTransaction(db, async (trx) => {
    const found = await lockUserByLogin(trx, login);
    if (found === undefined) {
      return "unknown";
    }
    const { id, enterpriseId, role } = found;
    if (role === "superadmin") {
      return "unchanged";
    }
    await rowsOf(trx, "UPDATE users SET role = 'superadmin', modified_at = now() WHERE id = ?", [
      id,
    ]);
    userChanged(trx, id);
    await audit.write(trx, {
      ...{ enterpriseId, userId: null, login: "", action: "update", object: "user", objectId: id },
      changes: { role: { from: role, to: "superadmin" } },
    });
    return "granted";
  });
}

type LockedUser = { id: number; enterpriseId: number; role: Role };

async function lockUserByLogin(trx: Trx, login: string): Promise<LockedUser | undefined> {
  const [found] = await rowsOf<LockedUser>(
    trx,
    `SELECT id, enterprise_id AS "enterpriseId", role FROM users
     WHERE lower(login) = lower(?) AND is_active FOR UPDATE`,
    [login],
  );
  return found;
}

/** The oldest enterprise, which is the one created by the first start. */
export async function findFirstEnterprise(db: Queryable): Promise<number | undefined> {
  const [row] = await rowsOf<{ id: number }>(db, "SELECT id FROM enterprises ORDER BY id LIMIT 1");
  return row?.id;
}
