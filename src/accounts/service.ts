import { createHash } from "node:crypto";
import { problem } from "../contracts/problems.ts";
import type { Authenticated } from "../http/authorize.ts";
import { limitHeaders, rateLimited, type Limits } from "../http/limits.ts";
import type { Caller } from "../http/route.ts";
import { inTransaction, type Db, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import { findApiTokenCaller } from "./api-tokens/store.ts";
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
import { hashToken, isApiToken, newToken } from "./token.ts";
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

/** What somebody signs in with, and from where. */
export type SignIn = Readonly<{ login: string; password: string; clientNetwork: string }>;

export type PasswordGrant = SignIn & Readonly<{ isOffline: boolean }>;

/** Tokens, and where the login stands in its limit. */
export type Granted = { tokens: IssuedTokens; headers?: Record<string, string> };

export type Accounts = {
  /** The owner of an access token or an API token that is good at this moment. */
  authenticate(token: string): Promise<Authenticated | undefined>;
  /**
   * Checks login and password, counts the try, and does the work in a transaction in which the
   * user stays as checked. Out: what the work gave, and where the login stands in its limit.
   */
  signIn<T>(
    given: SignIn,
    work: (trx: Trx, owner: TokenOwner) => Promise<T>,
  ): Promise<{ result: T; headers: Record<string, string> }>;
  grantByPassword(grant: PasswordGrant): Promise<Granted>;
  /** Single use: the answer's refresh token replaces the one presented. */
  grantByRefreshToken(refreshToken: string): Promise<Granted>;
  /** Ends the token and, where it has one, its refresh token. */
  revoke(caller: Pick<Caller, "token">): Promise<void>;
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
  { login, password }: SignIn,
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
  grant: SignIn,
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

/** What is not an access token has an end of its own. */
const revoke = async (db: Db, { token }: Pick<Caller, "token">): Promise<void> => {
  if (token === "") {
    throw problem(
      "conflict",
      "There is no token: a session ends with DELETE /api/browser-session.",
    );
  }
  if (isApiToken(token)) {
    throw problem("conflict", "An API token ends with DELETE /api/users/me/api-tokens/{tokenId}.");
  }
  await deleteFamilyOf(db, hashToken(token));
};

export const createAccounts = (deps: AccountsDeps): Accounts => {
  const { db, ids } = deps;
  const signIn: Accounts["signIn"] = async (given, work) => {
    const headers = await countLogin(deps, given.login);
    const owner = await checkPassword(deps, given, headers);
    const result = await inTransaction(db, async (trx) => {
      // The password may have been changed, or the user disabled, since it was looked at.
      if (!(await holdSignIn(trx, owner))) {
        throw badLogin(headers);
      }
      return work(trx, owner);
    });
    return { result, headers };
  };
  return {
    authenticate: (token) =>
      isApiToken(token)
        ? findApiTokenCaller(db, hashToken(token), token)
        : findCaller(db, hashToken(token), token),
    signIn,
    grantByPassword: async ({ isOffline, ...given }) => {
      const family = ids.uuid();
      const { result: tokens, headers } = await signIn(given, (trx, owner) =>
        issue(trx, deps, { owner, family, isOffline }),
      );
      return { tokens, headers };
    },
    grantByRefreshToken: async (refreshToken) => ({ tokens: await rotate(deps, refreshToken) }),
    isTokenOf: ({ token, ...claim }) => isTokenOf(db, { ...claim, hash: hashToken(token) }),
    revoke: (caller) => revoke(db, caller),
    getProfile: async ({ enterpriseId, userId }) => {
      const profile = await findProfile(db, enterpriseId, userId);
      if (profile === undefined) {
        throw problem("not_found", "The user was not found.");
      }
      return profile;
    },
  };
};
