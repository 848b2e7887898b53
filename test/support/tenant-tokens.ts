import { insertApiToken } from "../../src/accounts/api-tokens/service.ts";
import { type TokenOwner, newToken } from "../../src/accounts/token-store.ts";
import { createPasswords } from "../../src/accounts/credentials.ts";
import { insertSession } from "../../src/accounts/sessions/store.ts";
import { sessionCookieName } from "../../src/http/browser-session.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { testBaseUrl } from "./api.ts";
import { aTenantUser } from "./tenant-objects.ts";
import type { Tenant, Member } from "./tenant.ts";

async function storeSession(db: Db, owner: TokenOwner): Promise<{ id: number; token: string }> {
  const { token, hash } = newToken(randomIds);
  const session = { hash, owner, isEmbedded: false, userAgent: null };
  return { id: await inTransaction(db, (trx) => insertSession(trx, session)), token };
}

/** A session of the user in some browser. Returns its number. */
export async function aBrowserSession(db: Db, owner: TokenOwner): Promise<number> {
  return (await storeSession(db, owner)).id;
}

/** A session of the user. Returns the cookie that a browser sends. */
export async function aBrowserCookie(
  db: Db,
  { id: userId, enterpriseId }: Member,
): Promise<{ cookie: string }> {
  const { token } = await storeSession(db, { userId, enterpriseId });
  return { cookie: `${sessionCookieName(testBaseUrl)}=${token}` };
}

/** Creates an API token. Returns its id. */
export async function aTenantApiToken(db: Db, owner: TokenOwner): Promise<number> {
  const { hash } = newToken(randomIds);
  const wanted = { hash, name: randomIds.hex(4), days: 7 };
  return (await inTransaction(db, (trx) => insertApiToken(trx, owner, wanted))).id;
}

export async function someApiTokens(db: Db, owner: Member, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await aTenantApiToken(db, { userId: owner.id, enterpriseId: owner.enterpriseId });
  }
}

/** A user with this password. Returns the login. */
export async function aLogin(db: Db, tenant: Tenant, password: string): Promise<string> {
  const login = `${randomIds.hex(6)}@${tenant.mark}.example`;
  const passwords = createPasswords();
  await aTenantUser(db, tenant, {
    login,
    email: login,
    password_hash: await passwords.hash(password),
  });
  return login;
}
