/**
 * Caches who a caller is, so that most requests need no statement for it. In: the hash of a token or
 * session. Out: its owner, as read from the database at most `identityTtlMs` ago. Guarantee: a change
 * holds from its commit on in the process that made it, and elsewhere from its notification on, which
 * takes milliseconds; a lost notification delays it by `identityTtlMs` at most. While notifications
 * cannot be heard, every call reads. On crash: nothing is lost, and the change holds within
 * `identityTtlMs`.
 */
import { createHash } from "node:crypto";
import type { Authenticated } from "../http/authorize.ts";
import { reportChange } from "../platform/db/changes.ts";
import type { Queryable } from "../platform/db/pool.ts";

/** `expiresInMs`: how long the credential itself is still valid, by the database's clock. */
export type Identity = Authenticated & Readonly<{ expiresInMs: number }>;

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

  /** Stores the result unless something changed meanwhile: it may be from before the change. */
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

/** The stored form of a credential. It has 256 random bits, so a plain hash is safe. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
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
