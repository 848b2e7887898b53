/**
 * Client networks and browsers from which a user has signed in. A known client is throttled instead
 * of rejected, so that nobody can lock the user out by guessing passwords.
 */
import { createHmac, hkdfSync } from "node:crypto";
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import type { TokenOwner } from "../model.ts";

/** What identifies a client. */
export type SignInClient = Readonly<{
  /** The address; IPv6 addresses are truncated to their /64. */
  network: string;
  /** The id in the cookie that marks a browser. */
  browser?: string | undefined;
}>;

export type KnownBy = "browser" | "network";

export type KnownClients = {
  /** How the client is known for this login, the narrowest match first. */
  find(db: Queryable, login: string, client: SignInClient): Promise<KnownBy | undefined>;
  /**
   * Call only after the user has signed in from the client, or has proved otherwise that it is
   * theirs.
   */
  remember(trx: Trx, owner: TokenOwner, client: SignInClient): Promise<void>;
};

/** Clients expire after this time without a sign-in. */
const retentionSql = "interval '90 days'";

/** Forgets all known clients: the old password may have been stolen. */
export async function forgetClients(trx: Trx, owner: TokenOwner): Promise<void> {
  await rowsOf(trx, "DELETE FROM known_clients WHERE enterprise_id = ? AND user_id = ?", [
    owner.enterpriseId,
    owner.userId,
  ]);
}

/** Deletes clients that were not seen for the retention time. One bounded batch. */
export async function deleteOldClients(db: Queryable): Promise<void> {
  await rowsOf(
    db,
    `DELETE FROM known_clients WHERE ctid = ANY(ARRAY(SELECT ctid FROM known_clients
       WHERE seen_at <= now() - ${retentionSql} LIMIT 1000 FOR UPDATE SKIP LOCKED))`,
  );
}

/** Keyed hashes, because plain hashes of addresses could be brute-forced. */
export function createKnownClients(secretKey: Buffer): KnownClients {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "sightline known clients 1", 32));
  const hashOf = (kind: KnownBy, value: string): Buffer =>
    createHmac("sha256", key).update(`${kind}\n${value}`).digest();
  const hashesOf = ({ network, browser }: SignInClient): [KnownBy, Buffer][] => [
    ...(browser === undefined
      ? []
      : [["browser", hashOf("browser", browser)] satisfies [KnownBy, Buffer]]),
    ["network", hashOf("network", network)],
  ];

  return {
    find: async (db, login, client) => {
      const hashes = hashesOf(client);
      const rows = await rowsOf<{ hash: Buffer }>(
        db,
        `SELECT k.hash FROM users u
         JOIN known_clients k ON k.enterprise_id = u.enterprise_id AND k.user_id = u.id
         WHERE lower(u.login) = lower(?) AND k.hash = ANY(?::bytea[])
           AND k.seen_at > now() - ${retentionSql}`,
        [login, hashes.map(([, hash]) => hash)],
      );
      return hashes.find(([, hash]) => rows.some((row) => row.hash.equals(hash)))?.[0];
    },
    remember: async (trx, owner, client) => {
      // Sorted, so that concurrent sign-ins lock the rows in the same order and cannot deadlock.
      const hashes = hashesOf(client)
        .map(([, hash]) => hash)
        .toSorted(Buffer.compare);
      const written = await rowsOf(
        trx,
        `INSERT INTO known_clients (enterprise_id, user_id, hash)
         SELECT ?, ?, hash FROM unnest(?::bytea[]) WITH ORDINALITY AS input (hash, n) ORDER BY n
         ON CONFLICT (enterprise_id, user_id, hash) DO UPDATE SET seen_at = now()
           WHERE known_clients.seen_at < now() - interval '1 day'
         RETURNING hash`,
        [owner.enterpriseId, owner.userId, hashes],
      );
      if (written.length > 0) {
        await dropOldest(trx, owner);
      }
    },
  };
}

/** The newest clients of a user are kept, networks and browsers counted together. */
const maxPerUser = 40;

async function dropOldest(trx: Trx, owner: TokenOwner): Promise<void> {
  const bindings = [owner.enterpriseId, owner.userId];
  await rowsOf(
    trx,
    `DELETE FROM known_clients WHERE enterprise_id = ? AND user_id = ? AND hash IN (
       SELECT hash FROM known_clients WHERE enterprise_id = ? AND user_id = ?
       ORDER BY seen_at DESC, hash OFFSET ${maxPerUser})`,
    [...bindings, ...bindings],
  );
}
