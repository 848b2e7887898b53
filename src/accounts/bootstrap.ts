/** The first enterprise and the first superadmin of a new platform. */
import type { AuditLog } from "../contracts/audit.ts";
import { inTransaction, type Db, type Trx, rowsOf } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import {
  hasEnterprise,
  insertEnterprise,
  insertGroup,
  insertInitialService,
  insertInitialUser,
  lockBootstrap,
} from "./bootstrap-store.ts";
import { meetsPasswordRule, passwordRule } from "../platform/password-rule.ts";
import { generatePassword, type Passwords } from "./password.ts";
import type { Role } from "../contracts/permissions.ts";

export type InitialLogin = Readonly<{ login: string; password: string | undefined }>;

export type BootstrapDeps = {
  admin: InitialLogin;
  agent: InitialLogin;
  ids: Pick<Ids, "base62" | "hex" | "key">;
  passwords: Pick<Passwords, "hash">;
};

export type FirstLogin = Readonly<{ login: string; password: string; isGenerated: boolean }>;

export type Bootstrapped = Readonly<{ enterpriseId: number; admin: FirstLogin; agent: FirstLogin }>;

/** All faults of the given logins and passwords at once. Never holds a password. */
export class BootstrapError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The first users cannot be made: ${faults.join("; ")}`);
    this.name = "FirstStartError";
    this.faults = faults;
  }
}

/** The services of a new enterprise. */
export const initialServices = [
  { name: "Video assistance", kind: "ticket" },
  { name: "Video meeting", kind: "conference" },
] as const;

/**
 * Creates the enterprise "Demo" with an administrator, an agent and two services, unless an
 * enterprise exists: then it returns undefined. If several processes start at once, one creates it.
 * The result contains the passwords, to be printed once.
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

/** Makes an enterprise "Demo" with an administrator, an agent and two services. */
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

/** The first superadmin is named by the configuration; superadmins appoint the others. */
export type SuperadminDeps = Readonly<{ db: Db; audit: AuditLog<Trx> }>;

/** `unknown`: no active user has this login. */
export type SuperadminOutcome = "granted" | "unchanged" | "unknown";

/** Gives the active user with this login the role superadmin, with one audit entry. */
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
