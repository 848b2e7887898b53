import { createHash } from "node:crypto";
import { problem } from "../contracts/problems.ts";
import type { Authenticated } from "../http/authorize.ts";
import { limitHeaders, rateLimited, type Limits } from "../http/limits.ts";
import { inTransaction, type Db, type Queryable } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { IssuedTokens, LoginUser, Profile, TokenOwner } from "./model.ts";
import type { Passwords } from "./password.ts";
import {
  deleteFamily,
  deleteFamilyOf,
  findCaller,
  findLoginUser,
  findProfile,
  insertToken,
  lockRefreshToken,
  markTokenUsed,
  replacePasswordHash,
} from "./store.ts";
import { hashToken, newToken } from "./token.ts";
import { holdRefresh, holdSignIn, isTokenOf } from "./tokens-store.ts";

export type AccountsDeps = {
  db: Db;
  ids: Pick<Ids, "bytes" | "uuid">;
  passwords: Passwords;
  /** The limit per address is taken by the router, before it reads a body. */
  limits: Pick<Limits, "tokenLogin" | "badLogin">;
  tokenTtlSeconds: number;
  log: Pick<Logger, "warn">;
};

export type PasswordGrant = Readonly<{
  login: string;
  password: string;
  isOffline: boolean;
  clientNetwork: string;
}>;

/** Tokens, and where the login stands in its limit. */
export type Granted = { tokens: IssuedTokens; headers?: Record<string, string> };

export type Accounts = {
  authenticate(token: string): Promise<Authenticated | undefined>;
  grantByPassword(grant: PasswordGrant): Promise<Granted>;
  /** Single use: the answer's refresh token replaces the one presented. */
  grantByRefreshToken(refreshToken: string): Promise<Granted>;
  /** Ends the token and, where it has one, its refresh token. */
  revoke(token: string): Promise<void>;
  /** Whether the token is good and this user's, in the enterprise with this key. */
  isTokenOf(claim: { token: string; userId: number; apiKey: string }): Promise<boolean>;
  getProfile(owner: TokenOwner): Promise<Profile>;
};

const refreshTtlSeconds = 30 * 86_400;

/** Logins are hashed as keys of counts: of bounded length, and no list of logins in the store. */
const loginKey = (login: string): string =>
  createHash("sha256").update(login.toLowerCase()).digest("base64url");

const badLogin = (limit: Record<string, string>) =>
  problem("bad_login", "The login or the password is wrong.", {
    error: "invalid_grant",
    headers: { ...limit, "WWW-Authenticate": 'Bearer realm="api"' },
  });

const badRefreshToken = () =>
  problem("bad_token", "The refresh token is unknown, expired or used.", {
    error: "invalid_grant",
    headers: { "WWW-Authenticate": 'Bearer realm="api", error="invalid_token"' },
  });

/** Counts a request of the login. Out: where it stands, for every answer from here on. */
const countLogin = async (
  { limits }: Pick<AccountsDeps, "limits">,
  login: string,
): Promise<Record<string, string>> => {
  const verdict = await limits.tokenLogin.take(loginKey(login));
  if (!verdict.isAllowed) {
    throw rateLimited(verdict, "Too many token requests.");
  }
  return limitHeaders(verdict);
};

type Issue = { owner: TokenOwner; family: string; isOffline: boolean };

const issue = async (
  db: Queryable,
  { ids, tokenTtlSeconds }: Pick<AccountsDeps, "ids" | "tokenTtlSeconds">,
  { owner, family, isOffline }: Issue,
): Promise<IssuedTokens> => {
  const store = async (kind: "access" | "refresh", ttlSeconds: number) => {
    const { token, hash } = newToken(ids);
    return { token, createdAt: await insertToken(db, { hash, owner, kind, family, ttlSeconds }) };
  };
  const access = await store("access", tokenTtlSeconds);
  const refresh = isOffline ? await store("refresh", refreshTtlSeconds) : undefined;
  return {
    accessToken: access.token,
    createdAt: access.createdAt,
    expiresInSeconds: tokenTtlSeconds,
    refreshToken: refresh?.token,
  };
};

/** Out: the user with the hash that is stored now, theirs or the one of a login at the same time. */
const renewHash = async (
  { db, passwords }: Pick<AccountsDeps, "db" | "passwords">,
  user: LoginUser,
  { login, password }: Pick<PasswordGrant, "login" | "password">,
): Promise<LoginUser> => {
  const passwordHash = await passwords.hash(password);
  if (await replacePasswordHash(db, user, passwordHash)) {
    return { ...user, passwordHash };
  }
  const present = await findLoginUser(db, login);
  const { isRight } = await passwords.check(present?.passwordHash, password);
  return present !== undefined && isRight ? present : user;
};

/**
 * Runs in turn, and counts failures inside it: a burst of guesses gets no further than guesses
 * one after the other. An unknown login costs as much time as a wrong password.
 */
const checkPassword = async (
  deps: AccountsDeps,
  grant: PasswordGrant,
  limit: Record<string, string>,
): Promise<LoginUser> => {
  const { db, passwords, limits } = deps;
  const key = `${loginKey(grant.login)}:${grant.clientNetwork}`;
  return passwords.inTurn(async () => {
    const failures = await limits.badLogin.peek(key);
    if (!failures.isAllowed) {
      throw rateLimited(failures, "Too many failed logins.");
    }
    const user = await findLoginUser(db, grant.login);
    const { isRight, isOutdated } = await passwords.check(user?.passwordHash, grant.password);
    if (user === undefined || !isRight || !user.isActive) {
      await limits.badLogin.take(key);
      throw badLogin(limit);
    }
    if (failures.remaining < failures.limit) {
      await limits.badLogin.forget(key);
    }
    return isOutdated ? renewHash(deps, user, grant) : user;
  });
};

/** A used refresh token that comes again was stolen, or its answer was: the whole family ends. */
const rotate = async (deps: AccountsDeps, refreshToken: string): Promise<IssuedTokens> => {
  const hash = hashToken(refreshToken);
  const tokens = await inTransaction(deps.db, async (trx) => {
    await holdRefresh(trx, hash);
    const found = await lockRefreshToken(trx, hash);
    if (found?.isUsed === true) {
      await deleteFamily(trx, found.family);
      deps.log.warn(found.owner, "token.reused");
      return undefined;
    }
    if (found === undefined || !found.isGood) {
      return undefined;
    }
    await markTokenUsed(trx, hash);
    return issue(trx, deps, { owner: found.owner, family: found.family, isOffline: true });
  });
  if (tokens === undefined) {
    throw badRefreshToken(); // outside, so that the end of the family is committed
  }
  return tokens;
};

export const createAccounts = (deps: AccountsDeps): Accounts => {
  const { db, ids } = deps;
  return {
    authenticate: (token) => findCaller(db, hashToken(token), token),
    grantByPassword: async (grant) => {
      const headers = await countLogin(deps, grant.login);
      const owner = await checkPassword(deps, grant, headers);
      const family = ids.uuid();
      const tokens = await inTransaction(db, async (trx) => {
        // The password may have been changed, or the user disabled, since it was looked at.
        if (!(await holdSignIn(trx, owner))) {
          throw badLogin(headers);
        }
        return issue(trx, deps, { owner, family, isOffline: grant.isOffline });
      });
      return { tokens, headers };
    },
    grantByRefreshToken: async (refreshToken) => ({ tokens: await rotate(deps, refreshToken) }),
    isTokenOf: ({ token, ...claim }) => isTokenOf(db, { ...claim, hash: hashToken(token) }),
    revoke: (token) => deleteFamilyOf(db, hashToken(token)),
    getProfile: async ({ enterpriseId, userId }) => {
      const profile = await findProfile(db, enterpriseId, userId);
      if (profile === undefined) {
        throw problem("not_found", "The user was not found.");
      }
      return profile;
    },
  };
};
