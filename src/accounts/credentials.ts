/** Hashes passwords, revokes tokens and sessions, and stores password-reset tokens. */
import { hash as hashWithArgon2, parseOptions, verify } from "@node-rs/argon2";
import { problem } from "../contracts/problems.ts";
import { createFairQueue, type Requester } from "../platform/concurrency/queues.ts";
import { type Queryable, rowsOf, type Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import { hashToken, userChanged } from "./identities.ts";
import { forgetClients } from "./sign-in/throttling.ts";
import type { LoginUser, TokenOwner } from "./token-store.ts";

/** argon2id with the minimum cost that OWASP recommends: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export type PasswordCheck = { isCorrect: boolean; isOutdated: boolean };

export type Passwords = {
  /**
   * Runs hashing work: at most two at once, queued fairly by network, so that one network cannot
   * starve the others.
   */
  limitHashing<T>(requester: Requester, work: () => Promise<T>): Promise<T>;
  hash(password: string): Promise<string>;
  /** Takes the same time without a stored hash (unknown user, or no password). */
  check(stored: string | undefined, password: string): Promise<PasswordCheck>;
};

/** 119 bits, in groups that are easy to read aloud. */
export function generatePassword(ids: Pick<Ids, "base62">): string {
  return Array.from({ length: 4 }, () => ids.base62(5)).join("-");
}

export function createPasswords(): Passwords {
  let decoy: Promise<string> | undefined;
  return {
    limitHashing: createHashLimiter(),
    hash: (password) => hashWithArgon2(password, cost),
    check: async (storedHash, password) => {
      const stored = storedHash?.startsWith("$argon2") === true ? storedHash : undefined;
      decoy ??= hashWithArgon2("nobody has this password", cost);
      const isCorrect = await verify(stored ?? (await decoy), password);
      return stored === undefined
        ? { isCorrect: false, isOutdated: false }
        : { isCorrect, isOutdated: isCorrect && isOutdated(stored) };
    },
  };
}

/** Hashing runs in libuv's four threads, which file access and name resolution need too. */
const maxConcurrentHashes = 2;

/** About two seconds of work. Overflow is rejected with Retry-After, largest network first. */
const maxWaiting = 100;

type HashWaiter = { acquire(): void; reject(): void };

function createHashLimiter(): Passwords["limitHashing"] {
  let running = 0;
  const waiting = createFairQueue<HashWaiter>(maxWaiting);
  const acquire = (requester: Requester): Promise<void> => {
    if (running < maxConcurrentHashes) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const rejectOverload = (): void => reject(overloaded());
      const waiter = { acquire: resolve, reject: rejectOverload };
      const { isAccepted, displaced } = waiting.add(requester, waiter);
      displaced?.reject();
      if (!isAccepted) {
        rejectOverload();
      }
    });
  };
  const release = (): void => {
    const next = waiting.next();
    if (next === undefined) {
      running -= 1;
    } else {
      next.acquire(); // hands the slot to the next waiter
    }
  };
  return async (requester, work) => {
    await acquire(requester);
    try {
      return await work();
    } finally {
      release();
    }
  };
}

function overloaded() {
  return problem("dependency_down", "Too many concurrent sign-ins. Try again.", {
    headers: { "Retry-After": "2" },
  });
}

function isOutdated(stored: string): boolean {
  const used = parseOptions(stored);
  return (
    used.memoryCost !== cost.memoryCost ||
    used.timeCost !== cost.timeCost ||
    used.parallelism !== cost.parallelism
  );
}

export type Revocation = "everything" | "sign-ins" | "reset-links" | "nothing";

/** Lock the user first. */
export async function revokeAccess(trx: Trx, owner: TokenOwner, what: Revocation): Promise<void> {
  if (what === "everything") {
    await revokeAllAccess(trx, owner);
  } else if (what === "sign-ins") {
    await revokeSignIns(trx, owner);
  } else if (what === "reset-links") {
    await revokeResetTokens(trx, owner);
  }
}

/**
 * Revokes all access of the user: sessions, tokens, API tokens and known clients. Lock the user
 * first.
 */
export async function revokeAllAccess(trx: Trx, owner: TokenOwner): Promise<void> {
  await revokeSignIns(trx, owner);
  await forgetClients(trx, owner);
  await rowsOf(trx, "DELETE FROM api_tokens WHERE enterprise_id = ? AND user_id = ?", [
    owner.enterpriseId,
    owner.userId,
  ]);
  userChanged(trx, owner.userId);
}

/**
 * Revokes tokens and browser sessions, but not API tokens. Lock the user first: concurrent sign-ins
 * wait for the lock.
 */
async function revokeSignIns(trx: Trx, owner: TokenOwner): Promise<void> {
  const bindings = [owner.enterpriseId, owner.userId];
  await rowsOf(trx, "DELETE FROM tokens WHERE enterprise_id = ? AND user_id = ?", bindings);
  await rowsOf(
    trx,
    "DELETE FROM browser_sessions WHERE enterprise_id = ? AND user_id = ?",
    bindings,
  );
  userChanged(trx, owner.userId);
}

/** Revokes earlier reset links. Their rows stay for an hour, for the rate limit. */
export async function revokeResetTokens(trx: Trx, owner: TokenOwner): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE tokens SET used_at = now()
     WHERE enterprise_id = ? AND user_id = ? AND kind = 'reset' AND used_at IS NULL`,
    [owner.enterpriseId, owner.userId],
  );
}

/**
 * Counts the user's reset links in the last `withinSeconds`, at most an hour. Lock the user first.
 */
export async function countResetTokens(
  trx: Trx,
  owner: TokenOwner,
  withinSeconds: number,
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `SELECT count(*) AS count FROM tokens WHERE enterprise_id = ? AND user_id = ?
       AND kind = 'reset' AND created_at > now() - ? * interval '1 second'`,
    [owner.enterpriseId, owner.userId, withinSeconds],
  );
  return row?.count ?? 0;
}

/** The active user whose password this reset token may set. Only the newest token works. */
export async function findResetTokenOwner(
  db: Queryable,
  hash: Buffer,
): Promise<(TokenOwner & { login: string }) | undefined> {
  const [row] = await rowsOf<{ enterprise_id: number; user_id: number; login: string }>(
    db,
    `SELECT t.enterprise_id, t.user_id, u.login
     FROM tokens t JOIN users u ON u.enterprise_id = t.enterprise_id AND u.id = t.user_id
     WHERE t.hash = ? AND t.kind = 'reset' AND t.used_at IS NULL AND t.expires_at > now()
       AND u.is_active`,
    [hash],
  );
  return row === undefined
    ? undefined
    : { enterpriseId: row.enterprise_id, userId: row.user_id, login: row.login };
}

/** Sets the password of a locked user. */
export async function setPasswordHash(
  trx: Trx,
  owner: TokenOwner,
  passwordHash: string,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE users SET password_hash = ?, modified_at = now() WHERE enterprise_id = ? AND id = ?`,
    [passwordHash, owner.enterpriseId, owner.userId],
  );
}

/** The stored hash of a signed-in user's password. */
export async function findPasswordHash(
  db: Queryable,
  owner: TokenOwner,
): Promise<string | undefined> {
  const [row] = await rowsOf<{ password_hash: string }>(
    db,
    "SELECT password_hash FROM users WHERE enterprise_id = ? AND id = ? AND is_active",
    [owner.enterpriseId, owner.userId],
  );
  return row?.password_hash;
}

/**
 * Whether the user is still active and still has the checked password. Locks the row until the
 * commit, so that a concurrent revocation also covers the token about to be created.
 */
export async function lockSignedInUser(trx: Trx, user: LoginUser): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `SELECT FROM users WHERE enterprise_id = ? AND id = ? AND password_hash = ? AND is_active
     FOR SHARE`,
    [user.enterpriseId, user.userId, user.passwordHash],
  );
  return rows.length === 1;
}

/**
 * Locks the owner of a token, before the token itself. Exclusive: what revokes a family must not
 * miss the tokens that a concurrent refresh inserts.
 */
export async function lockTokenUser(trx: Trx, hash: Buffer): Promise<void> {
  await rowsOf(
    trx,
    `SELECT FROM users WHERE (enterprise_id, id) =
       (SELECT enterprise_id, user_id FROM tokens WHERE hash = ?) FOR NO KEY UPDATE`,
    [hash],
  );
}

/** Whether the access token belongs to this user, in the enterprise with this API key. */
export async function isTokenOf(
  db: Queryable,
  { hash, userId, apiKey }: { hash: Buffer; userId: number; apiKey: string },
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT FROM tokens t
     JOIN users u ON u.enterprise_id = t.enterprise_id AND u.id = t.user_id
     JOIN enterprises e ON e.id = t.enterprise_id
     WHERE t.hash = ? AND t.kind = 'access' AND t.expires_at > now() AND u.is_active
       AND u.id = ? AND e.api_key = ?`,
    [hash, userId, apiKey],
  );
  return rows.length === 1;
}

/**
 * Returns the access tokens that are still valid. Used to re-validate long-lived connections
 * (sockets).
 */
export async function findValidTokens(
  db: Queryable,
  tokens: readonly string[],
): Promise<ReadonlySet<string>> {
  const byHash = new Map(tokens.map((token) => [hashToken(token).toString("hex"), token]));
  const rows = await rowsOf<{ hash: string }>(
    db,
    `SELECT encode(t.hash, 'hex') AS hash FROM tokens t
     JOIN users u ON u.enterprise_id = t.enterprise_id AND u.id = t.user_id
     WHERE t.hash IN (SELECT decode(input.hash, 'hex') FROM unnest(?::text[]) AS input (hash))
       AND t.kind = 'access' AND t.expires_at > now() AND u.is_active`,
    [[...byHash.keys()]],
  );
  return new Set(rows.flatMap(({ hash }) => byHash.get(hash) ?? []));
}
