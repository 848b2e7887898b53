/**
 * Sessions that an `sso_url` opens. In: the token of the address. Out: cookies. Guarantee: the session
 * reaches the tickets whose `sso_url`s the browser opened as the same user, each until its token ends
 * or is revoked, so that the agent's pages of several tickets work side by side. On crash: the token
 * can be used again.
 */
import type { OpenTicketSession } from "../../contracts/tickets.ts";
import { firstFound, sessionCookie, sessionIdsOf } from "../../http/browser-session.ts";
import { rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Ids } from "../../platform/ids.ts";
import { hashToken, userChanged } from "../identities.ts";
import { findSsoGrant, newToken, type TicketGrant } from "../token-store.ts";
import { findSessionByHash, insertSession, maxSessionSeconds, userAgentOf } from "./store.ts";

export type TicketSessionsDeps = Readonly<{
  db: Db;
  ids: Pick<Ids, "bytes">;
  /** Public address, without a trailing slash. */
  baseUrl: string;
}>;

export function createOpenTicketSession({
  db,
  ids,
  baseUrl,
}: TicketSessionsDeps): OpenTicketSession {
  return async ({ token, ticketId, cookieHeader, userAgent, isEmbedded }) =>
    inTransaction(db, async (trx) => {
      const grant = await findSsoGrant(trx, { hash: hashToken(token), ticketId });
      if (grant === undefined) {
        return [];
      }
      const known = await firstFound(sessionIdsOf(cookieHeader, baseUrl), (id) =>
        findSessionByHash(trx, hashToken(id)),
      );
      if (known?.caller.userId === grant.owner.userId) {
        const { sessionId, onlyTicketIds } = known.caller;
        if (onlyTicketIds === undefined) {
          return []; // signed in as this user, with more rights
        }
        if (sessionId !== undefined && (await extendSession(trx, sessionId, grant))) {
          return [];
        }
      }
      const session = newToken(ids);
      const { hash } = session;
      const id = await insertSession(trx, {
        ...{ hash, owner: grant.owner, isEmbedded, ticketId, endsAt: grant.expiresAt },
        userAgent: userAgentOf(userAgent),
      });
      await addTicket(trx, id, grant);
      return [sessionCookie(session.token, { baseUrl, isEmbedded })];
    });
}

/** When a ticket of a session ends. Binding: the end of its token. */
const endsAtSql = `least(now() + make_interval(secs => ${maxSessionSeconds}), ?::timestamptz)`;

/** Lets the session reach one more ticket. Returns false if it ended meanwhile. */
async function extendSession(trx: Trx, sessionId: number, grant: TicketGrant): Promise<boolean> {
  const { enterpriseId } = grant.owner;
  const [before] = await rowsOf<{ ticket_id: number; expires_at: Date }>(
    trx,
    `UPDATE browser_sessions s SET expires_at = greatest(before.expires_at, ${endsAtSql})
     FROM (SELECT id, ticket_id, expires_at FROM browser_sessions
           WHERE id = ? AND enterprise_id = ? AND expires_at > now() FOR NO KEY UPDATE) AS before
     WHERE s.id = before.id RETURNING before.ticket_id, before.expires_at`,
    [grant.expiresAt, sessionId, enterpriseId],
  );
  if (before === undefined) {
    return false;
  }
  // A process of an older version stored the session without a list.
  await rowsOf(
    trx,
    `INSERT INTO browser_session_tickets (session_id, enterprise_id, ticket_id, ends_at)
     SELECT ?::bigint, ?::bigint, ?::bigint, ?::timestamptz
     WHERE NOT EXISTS (SELECT FROM browser_session_tickets WHERE session_id = ?)`,
    [sessionId, enterpriseId, before.ticket_id, before.expires_at, sessionId],
  );
  await addTicket(trx, sessionId, grant);
  return true;
}

async function addTicket(trx: Trx, sessionId: number, grant: TicketGrant): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO browser_session_tickets AS t (session_id, enterprise_id, ticket_id, ends_at)
     VALUES (?, ?, ?, ${endsAtSql})
     ON CONFLICT (session_id, ticket_id)
     DO UPDATE SET ends_at = greatest(t.ends_at, excluded.ends_at)`,
    [sessionId, grant.owner.enterpriseId, grant.ticketId, grant.expiresAt],
  );
  userChanged(trx, grant.owner.userId);
}

/** Takes the ticket from all sessions. A session that reaches no other ticket ends. */
export async function removeTicket(
  trx: Trx,
  { enterpriseId, ticketId }: Readonly<{ enterpriseId: number; ticketId: number }>,
): Promise<void> {
  // Sessions first, as where they end. The last statement has to see the ticket that a concurrent
  // `extendSession` adds.
  const sessions = await rowsOf<{ id: number; user_id: number }>(
    trx,
    `SELECT id, user_id FROM browser_sessions
     WHERE enterprise_id = ? AND (ticket_id = ? OR id IN (
       SELECT session_id FROM browser_session_tickets WHERE enterprise_id = ? AND ticket_id = ?))
     ORDER BY id FOR UPDATE`,
    [enterpriseId, ticketId, enterpriseId, ticketId],
  );
  if (sessions.length === 0) {
    return;
  }
  await rowsOf(
    trx,
    "DELETE FROM browser_session_tickets WHERE enterprise_id = ? AND ticket_id = ?",
    [enterpriseId, ticketId],
  );
  await rowsOf(
    trx,
    `DELETE FROM browser_sessions s WHERE s.enterprise_id = ? AND s.id = ANY(?::bigint[])
       AND NOT EXISTS (SELECT FROM browser_session_tickets t
                       WHERE t.session_id = s.id AND t.ends_at > now())`,
    [enterpriseId, sessions.map((session) => session.id)],
  );
  sessions.forEach((session) => userChanged(trx, session.user_id));
}
