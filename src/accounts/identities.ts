/**
 * Who a caller is, cached so that most requests need no statement for it. In: a token or session.
 * Out: its owner, as read from the database at most `identityTtlMs` ago. Guarantee: a change holds
 * from its commit on in the process that made it, and elsewhere from its notification on, which takes
 * milliseconds; a lost notification delays it by `identityTtlMs` at most. While notifications cannot
 * be heard, every call reads. On crash: the change holds within `identityTtlMs`.
 */
import { hash as digest } from "node:crypto";
import type { Role } from "../contracts/permissions.ts";
import type { Authenticated } from "../http/authorize.ts";
import type { Caller } from "../http/route.ts";
import { reportChange } from "../platform/db/changes.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import { sharedRowsOf } from "../platform/db/prepared.ts";
import { unindexedNumberSql } from "../platform/db/where.ts";

/** `expiresInMs`: how long the credential itself is still valid, by the database's clock. */
export type Identity = Authenticated & Readonly<{ expiresInMs: number }>;

/** Columns and mapping of the authenticated caller, shared by tokens, API tokens and sessions. */
export type CallerRow = {
  user_id: number;
  enterprise_id: number;
  login: string;
  role: Role;
  account_type: Caller["accountType"];
  has_solution: boolean;
  group_ids: number[];
  expires_in_ms: number;
};

/** For joins of a user by id: see `unindexedNumberSql`. */
export const enterpriseOfUserSql = unindexedNumberSql("u.enterprise_id");

/** For statements that join `users u` and `enterprises e`. */
export const callerColumns = `u.id AS user_id, u.enterprise_id, u.login, u.role, u.account_type,
  e.solution_enabled AS has_solution,
  coalesce((SELECT json_agg(m.group_id ORDER BY m.group_id) FROM group_members m
    WHERE m.user_id = u.id), '[]') AS group_ids`;

/** The column `expires_in_ms` of a caller, for an expression of the time when access ends. */
export function expiresInMsSql(endSql: string): string {
  return `CAST(extract(epoch FROM ${endSql} - now()) * 1000 AS double precision) AS expires_in_ms`;
}

/** The owner of an access token or API token, if the token has not expired and the user is active. */
export async function authenticateToken(
  db: Queryable,
  token: string,
): Promise<Identity | undefined> {
  const hash = hashToken(token);
  const row = await (isApiToken(token) ? findApiTokenCaller(db, hash) : findCaller(db, hash));
  return row === undefined ? undefined : toAuthenticated(row, { token });
}

async function findCaller(db: Queryable, hash: Buffer): Promise<CallerRow | undefined> {
  const [row] = await sharedRowsOf<CallerRow>(
    db,
    `SELECT ${callerColumns}, ${expiresInMsSql("t.expires_at")} FROM tokens t
     JOIN users u ON u.id = t.user_id AND ${enterpriseOfUserSql} = t.enterprise_id
     JOIN enterprises e ON e.id = u.enterprise_id
     WHERE t.hash = ? AND t.kind = 'access' AND t.expires_at > now() AND u.is_active`,
    [hash],
  );
  return row;
}

/** Also notes when the token was used, to the minute. */
async function findApiTokenCaller(db: Queryable, hash: Buffer): Promise<CallerRow | undefined> {
  const [row] = await sharedRowsOf<CallerRow & { is_stale: boolean }>(
    db,
    `SELECT ${callerColumns}, ${expiresInMsSql("t.expires_at")},
       coalesce(t.used_at < now() - interval '1 minute', true) AS is_stale
     FROM api_tokens t
     JOIN users u ON u.id = t.user_id AND ${enterpriseOfUserSql} = t.enterprise_id
     JOIN enterprises e ON e.id = u.enterprise_id
     WHERE t.hash = ? AND t.expires_at > now() AND u.is_active`,
    [hash],
  );
  if (row?.is_stale === true) {
    await rowsOf(
      db,
      `UPDATE api_tokens SET used_at = now() WHERE hash = ?
       AND coalesce(used_at < now() - interval '1 minute', true)`,
      [hash],
    );
  }
  return row;
}

/** `presented` is the presented credential: the token, or the id of the session. */
export function toAuthenticated(
  row: CallerRow,
  presented: Pick<Caller, "token" | "sessionId" | "onlyTicketIds">,
): Identity {
  return {
    caller: {
      userId: row.user_id,
      enterpriseId: row.enterprise_id,
      login: row.login,
      role: row.role,
      accountType: row.account_type,
      groupIds: row.group_ids,
      ...presented,
    },
    hasSolution: row.has_solution,
    expiresInMs: row.expires_in_ms,
  };
}

const apiToken = /^slt_[A-Za-z0-9_-]{43}$/u;

/**
 * Checks prefix and length: an access token may start with the prefix by chance, but is shorter.
 */
export function isApiToken(token: string): boolean {
  return apiToken.test(token);
}

/** The stored form of a credential. It has 256 random bits, so a plain hash is safe. */
export function hashToken(token: string): Buffer {
  return digest("sha256", token, "buffer");
}

export type IdentityCache<T extends Identity> = {
  /**
   * The cached identity, or else the loaded one. Concurrent calls share one load. Unknown
   * credentials are never cached.
   */
  find(hash: Buffer, load: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Drops the identities of these users and enterprises. */
  forget(subjects: ReadonlySet<string>): void;
  /** Drops everything. */
  clear(): void;
};

export type IdentityCacheDeps = {
  /** Whether changes made by other processes are heard. */
  isListening: () => boolean;
  nowMs?: () => number;
  maxEntries?: number;
};

/** The longest that a change can go unnoticed: if its notification was lost. */
export const identityTtlMs = 2_000;

type Entry<T> = { identity: T; endsAtMs: number };

export function createIdentityCache<T extends Identity>({
  isListening,
  nowMs = () => performance.now(),
  maxEntries = 10_000,
}: IdentityCacheDeps): IdentityCache<T> {
  /** The oldest first: they end first, so they are evicted first. */
  const entries = new Map<string, Entry<T>>();
  const loading = new Map<string, Promise<T | undefined>>();

  const store = (key: string, identity: T, startedAtMs: number): void => {
    entries.delete(key);
    entries.set(key, {
      identity,
      endsAtMs: startedAtMs + Math.min(identityTtlMs, identity.expiresInMs),
    });
    evict(entries, { now: nowMs(), maxEntries });
  };

  /** Stores the result unless something has changed since: it may be from before the change. */
  const start = (key: string, load: () => Promise<T | undefined>): Promise<T | undefined> => {
    const startedAtMs = nowMs();
    const result = load();
    loading.set(key, result);
    const finish = (identity?: T): void => {
      if (loading.get(key) === result) {
        loading.delete(key);
        if (identity !== undefined) {
          store(key, identity, startedAtMs);
        }
      }
    };
    result.then(finish, () => finish());
    return result;
  };

  return {
    find: async (hash, load) => {
      if (!isListening()) {
        return load();
      }
      const key = hash.toString("base64");
      const entry = entries.get(key);
      if (entry !== undefined && entry.endsAtMs > nowMs()) {
        return entry.identity;
      }
      return loading.get(key) ?? start(key, load);
    },
    forget: (subjects) => {
      loading.clear(); // whose they are is not known yet
      for (const [key, { identity }] of entries) {
        if (isOneOf(subjects, identity.caller)) {
          entries.delete(key);
        }
      }
    },
    clear: () => {
      loading.clear();
      entries.clear();
    },
  };
}

/** Bounds memory: evicts what has ended, or the oldest. */
function evict<T>(
  entries: Map<string, Entry<T>>,
  { now, maxEntries }: { now: number; maxEntries: number },
): void {
  for (const [key, { endsAtMs }] of entries) {
    if (endsAtMs > now && entries.size <= maxEntries) {
      return;
    }
    entries.delete(key);
  }
}

function isOneOf(
  subjects: ReadonlySet<string>,
  { userId, enterpriseId }: Authenticated["caller"],
): boolean {
  return subjects.has(userSubject(userId)) || subjects.has(enterpriseSubject(enterpriseId));
}

/**
 * Reports that a user, their groups, tokens or sessions changed. Every function with such a statement
 * calls this or `enterpriseChanged`; `test/tooling/identity-sql.test.ts` reads the SQL for it.
 */
export function userChanged(db: Queryable, userId: number): void {
  reportChange(db, userSubject(userId));
}

/** The same for a change of an enterprise, or of several of its users. */
export function enterpriseChanged(db: Queryable, enterpriseId: number): void {
  reportChange(db, enterpriseSubject(enterpriseId));
}

function userSubject(userId: number): string {
  return `user:${userId}`;
}

function enterpriseSubject(enterpriseId: number): string {
  return `enterprise:${enterpriseId}`;
}
