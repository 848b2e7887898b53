/** A platform that nobody has used yet gets an enterprise to try it with. */
import { inTransaction, type Db, type Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import {
  hasEnterprise,
  insertEnterprise,
  insertGroup,
  insertService,
  insertUser,
  lockFirstStart,
} from "./first-start-store.ts";
import { isGoodPassword, passwordRule } from "../platform/password-rule.ts";
import { generatePassword, type Passwords } from "./password.ts";

export type FirstUser = Readonly<{ login: string; password: string | undefined }>;

export type FirstStartDeps = {
  admin: FirstUser;
  agent: FirstUser;
  ids: Pick<Ids, "base62" | "hex" | "key">;
  passwords: Pick<Passwords, "hash">;
};

export type FirstLogin = Readonly<{ login: string; password: string; isGenerated: boolean }>;

export type FirstStart = Readonly<{ enterpriseId: number; admin: FirstLogin; agent: FirstLogin }>;

/** All faults of the given logins and passwords at once. Never holds a password. */
export class FirstStartError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The first users cannot be made: ${faults.join("; ")}`);
    this.name = "FirstStartError";
    this.faults = faults;
  }
}

/** The services that an enterprise begins with. */
export const firstServices = [
  { name: "Video assistance", kind: "ticket" },
  { name: "Video meeting", kind: "conference" },
] as const;

/**
 * Makes the enterprise "Demo" with an administrator, an agent and two services, unless there is
 * an enterprise already: then it does nothing and returns undefined. Of several processes that
 * start at once, one makes it. The result holds the passwords, for printing them once.
 */
export async function ensureFirstEnterprise(
  db: Db,
  deps: FirstStartDeps,
): Promise<FirstStart | undefined> {
  if (await hasEnterprise(db)) {
    return undefined;
  }
  check(deps);
  return inTransaction(db, async (trx) => {
    await lockFirstStart(trx);
    return (await hasEnterprise(trx)) ? undefined : insertDemoEnterprise(trx, deps);
  });
}

function check({ admin, agent }: FirstStartDeps): void {
  const faults = [...faultsOf("administrator", admin), ...faultsOf("agent", agent)];
  if (admin.login.toLowerCase() === agent.login.toLowerCase()) {
    faults.push("The first administrator and the first agent need different logins");
  }
  if (faults.length > 0) {
    throw new FirstStartError(faults);
  }
}

function faultsOf(who: string, { login, password }: FirstUser): string[] {
  const faults: string[] = [];
  if (!/^\S{1,255}$/u.test(login)) {
    faults.push(`The login of the first ${who} must have 1 to 255 characters and no spaces`);
  }
  if (password !== undefined && !isGoodPassword(password)) {
    faults.push(`The password of the first ${who} needs ${passwordRule}`);
  }
  return faults;
}

/** Makes an enterprise "Demo" with an administrator, an agent and two services. */
export async function insertDemoEnterprise(trx: Trx, deps: FirstStartDeps): Promise<FirstStart> {
  const { ids, passwords } = deps;
  const admin = toLogin(deps.admin, ids);
  const agent = toLogin(deps.agent, ids);
  const enterpriseId = await insertEnterprise(trx, "Demo", ids.hex(16));
  await insertUser(trx, {
    enterpriseId,
    login: admin.login,
    passwordHash: await passwords.hash(admin.password),
    role: "admin",
    isAgent: false,
    firstname: "Demo",
    lastname: "Administrator",
  });
  const agentId = await insertUser(trx, {
    enterpriseId,
    login: agent.login,
    passwordHash: await passwords.hash(agent.password),
    role: "agent",
    isAgent: true,
    firstname: "Demo",
    lastname: "Agent",
  });
  await insertGroup(trx, { enterpriseId, name: "Support" }, [agentId]);
  for (const service of firstServices) {
    await insertService(trx, { enterpriseId, ...service, serviceKey: ids.key(32) });
  }
  return { enterpriseId, admin, agent };
}

function toLogin({ login, password }: FirstUser, ids: FirstStartDeps["ids"]): FirstLogin {
  return {
    login,
    password: password ?? generatePassword(ids),
    isGenerated: password === undefined,
  };
}
