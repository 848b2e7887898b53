import type { SsoTokens } from "../contracts/tickets.ts";
import { problem } from "../contracts/problems.ts";
import type { Limits } from "../http/limits.ts";
import type { Caller } from "../http/route.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import {
  type Profile,
  type TokenOwner,
  deleteFamily,
  deleteFamilyOf,
  findProfile,
  insertToken,
  lockRefreshToken,
  markTokenUsed,
  deleteSsoTokens,
  moveSsoTokens,
  insertSsoToken,
  newToken,
} from "./token-store.ts";
import { isTokenOf, lockTokenUser, lockSignedInUser, type Passwords } from "./credentials.ts";
import { invalidLogin, createSignInCheck, type SignInRequest } from "./sign-in/check.ts";
import type { KnownClients } from "./sign-in/throttling.ts";
import { hashToken, isApiToken } from "./identities.ts";
import { removeTicket } from "./sessions/ticket-sessions.ts";

export type IssuedTokens = Readonly<{
  accessToken: string;
  createdAt: Date;
  expiresInSeconds: number;
  refreshToken: string | undefined;
}>;

export type AccountsDeps = {
  db: Db;
  ids: Pick<Ids, "bytes" | "uuid">;
  passwords: Passwords;
  knownClients: KnownClients;
  /** The router applies the limit per address before it reads a body. */
  limits: Pick<Limits, "badLogin" | "loginFailures" | "loginPace">;
  tokenTtlSeconds: number;
  log: Pick<Logger, "warn">;
};

export type PasswordGrant = SignInRequest & Readonly<{ isOffline: boolean }>;

export type Accounts = {
  /**
   * Checks login and password, then runs `work` in a transaction that locks the user. The client
   * becomes a known client of the user.
   */
  signIn<T>(input: SignInRequest, work: (trx: Trx, owner: TokenOwner) => Promise<T>): Promise<T>;
  grantByPassword(grant: PasswordGrant): Promise<IssuedTokens>;
  /** Single use: the returned refresh token replaces the presented one. */
  grantByRefreshToken(refreshToken: string): Promise<IssuedTokens>;
  /** Revokes the token and its refresh token. */
  revoke(caller: Pick<Caller, "token">): Promise<void>;
  /** Whether the token is valid and belongs to this user, in the enterprise with this API key. */
  isTokenOf(claim: { token: string; userId: number; apiKey: string }): Promise<boolean>;
  getProfile(owner: TokenOwner): Promise<Profile>;
};

export function createAccounts(deps: AccountsDeps): Accounts {
  const { db, ids } = deps;
  const check = createSignInCheck(deps);
  const signIn: Accounts["signIn"] = async (input, work) => {
    const user = await check(input);
    return inTransaction(db, async (trx) => {
      // The password may have been changed, or the user disabled, since the check.
      if (!(await lockSignedInUser(trx, user))) {
        throw invalidLogin();
      }
      await deps.knownClients.remember(trx, user, input.client);
      return work(trx, user);
    });
  };
  return {
    signIn,
    grantByPassword: ({ isOffline, ...value }) => {
      const family = ids.uuid();
      return signIn(value, (trx, owner) => issueTokens(trx, deps, { owner, family, isOffline }));
    },
    grantByRefreshToken: (refreshToken) => rotateRefreshToken(deps, refreshToken),
    isTokenOf: ({ token, ...claim }) => isTokenOf(db, { ...claim, hash: hashToken(token) }),
    revoke: (caller) => revokeToken(db, caller),
    getProfile: async ({ enterpriseId, userId }) => {
      const profile = await findProfile(db, enterpriseId, userId);
      if (profile === undefined) {
        throw problem("not_found", "The user was not found.");
      }
      return profile;
    },
  };
}

/** Reuse of a refresh token means theft: the whole family is revoked (RFC 9700). */
async function rotateRefreshToken(deps: AccountsDeps, refreshToken: string): Promise<IssuedTokens> {
  const hash = hashToken(refreshToken);
  const tokens = await inTransaction(deps.db, async (trx) => {
    await lockTokenUser(trx, hash);
    const found = await lockRefreshToken(trx, hash);
    if (found?.isUsed === true) {
      await deleteFamily(trx, found.family);
      deps.log.warn(found.owner, "token.reused");
      return undefined;
    }
    if (found === undefined || !found.isValid) {
      return undefined;
    }
    await markTokenUsed(trx, hash);
    return issueTokens(trx, deps, { owner: found.owner, family: found.family, isOffline: true });
  });
  if (tokens === undefined) {
    throw invalidRefreshToken(); // thrown outside the transaction, so that the revocation is committed
  }
  return tokens;
}

const refreshTtlSeconds = 30 * 86_400;

type TokenIssue = { owner: TokenOwner; family: string; isOffline: boolean };

async function issueTokens(
  db: Queryable,
  { ids, tokenTtlSeconds }: Pick<AccountsDeps, "ids" | "tokenTtlSeconds">,
  { owner, family, isOffline }: TokenIssue,
): Promise<IssuedTokens> {
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
}

function invalidRefreshToken() {
  return problem("bad_token", "The refresh token is unknown, expired or used.", {
    error: "invalid_grant",
    headers: { "WWW-Authenticate": 'Bearer realm="api", error="invalid_token"' },
  });
}

/** Rejects other credentials, such as sessions and API tokens: they are ended elsewhere. */
async function revokeToken(db: Db, { token }: Pick<Caller, "token">): Promise<void> {
  if (token === "") {
    throw problem(
      "conflict",
      "The request has no token. Use DELETE /api/browser-session to end a browser session.",
    );
  }
  if (isApiToken(token)) {
    throw problem(
      "conflict",
      "API tokens are not revoked here. Use DELETE /api/users/me/api-tokens/{tokenId}.",
    );
  }
  const hash = hashToken(token);
  await inTransaction(db, async (trx) => {
    await lockTokenUser(trx, hash);
    await deleteFamilyOf(trx, hash);
  });
}

export function createSsoTokens({ ids }: { ids: Pick<Ids, "bytes" | "uuid"> }): SsoTokens<Trx> {
  return {
    issueSsoToken: async (trx, grant) => {
      const { token, hash } = newToken(ids);
      await insertSsoToken(trx, { ...grant, hash, family: ids.uuid() });
      return token;
    },
    revokeSsoTokens: async (trx, ticket) => {
      await deleteSsoTokens(trx, ticket); // first: locks them, see `findSsoGrant`
      await removeTicket(trx, ticket);
    },
    moveSsoTokens,
  };
}
