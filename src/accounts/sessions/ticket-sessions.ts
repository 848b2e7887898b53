/**
 * Sessions that an `sso_url` opens. In: the token of the address. Out: cookies. The token can be
 * used again until it expires or is revoked; a session ends with it.
 */
import { sessionCookie, sessionIdsOf, firstFound } from "../../http/browser-session.ts";
import type { Db } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Ids } from "../../platform/ids.ts";
import { hashToken } from "../authenticate.ts";
import { findSsoGrant, newToken } from "../token-store.ts";
import { findSessionByHash, insertSession } from "./store.ts";

export type TicketSessionsDeps = Readonly<{
  db: Db;
  ids: Pick<Ids, "bytes">;
  /** Public address, without a trailing slash. */
  baseUrl: string;
}>;

export type TicketSessionRequest = Readonly<{
  token: string;
  ticketId: number;
  cookieHeader: string | undefined;
  userAgent: string | undefined;
  /** The page is loaded in an iframe of another site. */
  isEmbedded: boolean;
}>;

/** The `Set-Cookie` headers. None if the token is not valid, or if its user is signed in already. */
export type OpenTicketSession = (request: TicketSessionRequest) => Promise<string[]>;

const maxUserAgentLength = 512;

export function createOpenTicketSession(deps: TicketSessionsDeps): OpenTicketSession {
  const { db, ids, baseUrl } = deps;
  return async ({ token, ticketId, cookieHeader, userAgent, isEmbedded }) =>
    inTransaction(db, async (trx) => {
      const grant = await findSsoGrant(trx, { hash: hashToken(token), ticketId });
      if (grant === undefined) {
        return [];
      }
      const known = await firstFound(sessionIdsOf(cookieHeader, baseUrl), (id) =>
        findSessionByHash(trx, hashToken(id)),
      );
      const { userId, onlyTicketId = ticketId } = known?.caller ?? {};
      if (userId === grant.owner.userId && onlyTicketId === ticketId) {
        return []; // signed in as the same person already, perhaps with more rights
      }
      const session = newToken(ids);
      await insertSession(trx, {
        ...{ hash: session.hash, owner: grant.owner, isEmbedded, ticketId },
        userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
        endsAt: grant.expiresAt,
      });
      return [sessionCookie(session.token, { baseUrl, isEmbedded })];
    });
}
