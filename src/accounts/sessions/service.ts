/**
 * Browser sessions. In: login and password, or the cookie. Out: the user. Guarantee: a revoked
 * session is rejected from the next call on; other processes follow as `identities.ts` says. On
 * crash: a session whose cookie was not sent stays unused and expires.
 */
import type { AuditLog } from "../../contracts/audit.ts";
import { grantsOfRole, type Permission } from "../../contracts/permissions.ts";
import { problem } from "../../contracts/problems.ts";
import { type Authenticated, isTicketPermission, noToken } from "../../http/authorize.ts";
import {
  browserCookie,
  browserIdOf,
  type BrowserSessions,
  type CallOrigin,
  clearedSessionCookie,
  csrfTokenOf,
  firstFound,
  requireSameOrigin,
  sessionCookie,
  sessionIdsOf,
} from "../../http/browser-session.ts";
import type { Caller } from "../../http/route.ts";
import type { Db, Queryable, Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Ids } from "../../platform/ids.ts";
import { authenticateToken, hashToken, type IdentityCache } from "../identities.ts";
import { type AdminActor, recordChange } from "../changes.ts";
import { isAlias } from "../embedding.ts";
import type { Accounts } from "../service.ts";
import type { SignInRequest } from "../sign-in/check.ts";
import { newToken, type TokenOwner } from "../token-store.ts";
import {
  deleteSessionOfUser,
  deleteSessions,
  findSessionByHash,
  findSessionById,
  findTokenEnd,
  findUserWithEnterprise,
  insertSession,
  listSessions,
  userAgentOf,
  type FoundSession,
  type StoredSession,
  type UserWithEnterprise,
} from "./store.ts";

export type SessionsDeps = Readonly<{
  db: Db;
  ids: Pick<Ids, "bytes">;
  accounts: Pick<Accounts, "signIn">;
  audit: AuditLog<Trx>;
  cache: IdentityCache<FoundSession>;
  /** Public address, without a trailing slash. */
  baseUrl: string;
}>;

/** Reads a request header; names in lower case. */
type ReadHeader = CallOrigin["header"];

/** The caller, their credential and their permissions. */
export type CurrentSession = UserWithEnterprise &
  Readonly<{
    caller: Pick<Caller, "role" | "accountType">;
    hasSolution: boolean;
    permissions: (typeof grantsOfRole)[Caller["role"]];
    /** Empty for calls with a token, which need none. */
    csrfToken: string;
    /** The latest expiry, even if the session is used. */
    expires: Date;
  }>;

export type Sessions = BrowserSessions & {
  /** Opens a session and revokes the presented ones. Rejects cross-site calls. */
  open(
    input: Omit<SignInRequest, "client"> & { clientNetwork: string; isEmbedded: boolean },
    header: ReadHeader,
  ): Promise<{ signed: CurrentSession; headers: { "Set-Cookie": string[] } }>;
  /** The caller, identified by session or token. */
  describe(caller: Caller, header: ReadHeader): Promise<CurrentSession>;
  /** Ends the presented sessions. Returns the header that removes the cookie. */
  close(header: ReadHeader): Promise<string>;
  /** Re-validates the caller of a long-running answer. */
  recheck(caller: Caller): Promise<Authenticated | undefined>;
  /** The owner of the first valid session in a `Cookie` header. */
  findOwner(cookies: string | undefined): Promise<Caller | undefined>;
  list(owner: TokenOwner): Promise<StoredSession[]>;
  revoke(actor: AdminActor, id: number): Promise<void>;
};

export function createSessions(deps: SessionsDeps): Sessions {
  const { db, audit, cache, baseUrl } = deps;
  return {
    find: async (id) => {
      const hash = hashToken(id);
      const found = await cache.find(hash, () => findSessionByHash(db, hash));
      return found && { ...found, csrfToken: csrfTokenOf(id) };
    },
    isAlias: (host) => isAlias(db, host),
    open: createOpen(deps),
    describe: createDescribe(deps),
    close: createClose(deps),
    recheck: ({ sessionId, token }) =>
      sessionId === undefined ? authenticateToken(db, token) : findSessionById(db, sessionId),
    findOwner: async (cookies) => {
      const ids = sessionIdsOf(cookies, baseUrl);
      return (await firstFound(ids, (id) => findSessionByHash(db, hashToken(id))))?.caller;
    },
    list: (owner) => listSessions(db, owner),
    revoke: (actor, id) =>
      inTransaction(db, async (trx) => {
        if (!(await deleteSessionOfUser(trx, actor, id))) {
          throw problem("not_found", `Session ${id} was not found.`);
        }
        await recordChange(trx, audit, actor, {
          action: "revoke",
          object: "user",
          objectId: actor.userId,
          changes: { session: { from: id } },
        });
      }),
  };
}

function createOpen({ db, ids, accounts, baseUrl }: SessionsDeps): Sessions["open"] {
  return async ({ isEmbedded, clientNetwork, ...input }, header) => {
    await requireSameOrigin({ baseUrl, isAlias: (host) => isAlias(db, host), header });
    const earlier = sessionIdsOf(header("cookie"), baseUrl);
    const { token: id, hash } = newToken(ids);
    const browser = browserIdOf(header("cookie"), baseUrl) ?? newToken(ids).token;
    const client = { network: clientNetwork, browser };
    const signed = await accounts.signIn({ ...input, client }, async (trx, owner) => {
      await deleteSessions(trx, earlier.map(hashToken));
      const userAgent = userAgentOf(header("user-agent"));
      await insertSession(trx, { hash, owner, isEmbedded, userAgent });
      const found = await findSessionByHash(trx, hash);
      if (found === undefined) {
        throw new Error("The session expired before it was created");
      }
      return toCurrentSession(trx, found, { csrfToken: csrfTokenOf(id), expires: found.expires });
    });
    const cookieContext = { baseUrl, isEmbedded };
    const cookies = [sessionCookie(id, cookieContext), browserCookie(browser, cookieContext)];
    return { signed, headers: { "Set-Cookie": cookies } };
  };
}

function createDescribe({ db, baseUrl }: SessionsDeps): Sessions["describe"] {
  return async ({ sessionId, token }, header) => {
    if (sessionId === undefined) {
      const authenticated = await authenticateToken(db, token);
      const expires = await findTokenEnd(db, hashToken(token));
      if (authenticated !== undefined && expires !== undefined) {
        return toCurrentSession(db, authenticated, { csrfToken: "", expires });
      }
    } else {
      const presented = await firstFound(sessionIdsOf(header("cookie"), baseUrl), async (id) => {
        const found = await findSessionByHash(db, hashToken(id));
        return found?.caller.sessionId === sessionId ? { id, found } : undefined;
      });
      if (presented !== undefined) {
        const { id, found } = presented;
        return toCurrentSession(db, found, { csrfToken: csrfTokenOf(id), expires: found.expires });
      }
    }
    throw noToken(); // the session ended during the call
  };
}

type CsrfProtection = Pick<CurrentSession, "csrfToken" | "expires">;

async function toCurrentSession(
  db: Queryable,
  authenticated: Authenticated,
  csrf: CsrfProtection,
): Promise<CurrentSession> {
  const { caller, hasSolution } = authenticated;
  const signedIn = await findUserWithEnterprise(db, caller);
  if (signedIn === undefined) {
    throw noToken(); // the user was disabled during the call
  }
  return { ...signedIn, caller, hasSolution, permissions: permissionsOf(caller), ...csrf };
}

/** In a session of `sso_url`s, only what it may do with its tickets. */
function permissionsOf({ role, onlyTicketIds }: Caller): CurrentSession["permissions"] {
  const granted = grantsOfRole[role];
  if (onlyTicketIds === undefined) {
    return granted;
  }
  return Object.fromEntries(
    (Object.keys(granted) as Permission[])
      .filter((permission) => isTicketPermission(permission))
      .map((permission) => [permission, "own"]),
  );
}

function createClose({ db, baseUrl }: SessionsDeps): Sessions["close"] {
  return async (header) => {
    await requireSameOrigin({ baseUrl, isAlias: (host) => isAlias(db, host), header });
    const ended = await deleteSessions(db, sessionIdsOf(header("cookie"), baseUrl).map(hashToken));
    // One Set-Cookie header clears one cookie. Other cookies of this name hold ended sessions.
    return clearedSessionCookie({
      baseUrl,
      isEmbedded: ended.some(({ isEmbedded }) => isEmbedded),
    });
  };
}
