/**
 * Slows down the guessing of passwords. After too many failures, further passwords of a login are
 * tried at a fixed rate across all processes. Waiters are served fairly by network, the newest of a
 * network first. Waiters that time out or overflow are rejected with 429.
 *
 * A known client, from whose network or browser the user has signed in before, is throttled instead
 * of rejected, so that nobody can lock the user out.
 */
import { createHmac, hkdfSync } from "node:crypto";
import { rateLimited, type RateLimiter } from "../../http/rate-limit.ts";
import { sleep } from "../../platform/concurrency/async.ts";
import {
  createFairQueue,
  type FairQueue,
  type Requester,
} from "../../platform/concurrency/queues.ts";
import { type Queryable, rowsOf, type Trx } from "../../platform/db/pool.ts";
import type { TokenOwner } from "../token-store.ts";

export type LoginPacer = {
  /** Resolves when the requester may try a password of `key`. */
  wait(key: string, requester: Requester): Promise<void>;
};

export type LoginPacerDeps = Readonly<{
  /** The shared rate. */
  pace: Pick<RateLimiter, "take">;
  /** Must be below the usual time-outs of proxies and HTTP clients. */
  maxWaitMs?: number;
  pollMs?: number;
}>;

/** A waiter costs one connection. `inAll` does not apply to known clients. */
const maxWaiting = { perKey: 20, inAll: 1_000 };

type PacedWaiter = { acquire(): void; reject(): void };

type LoginQueue = { queue: FairQueue<PacedWaiter>; isServed: boolean };

export function createLoginPacer(deps: LoginPacerDeps): LoginPacer {
  const { pace, maxWaitMs = 30_000, pollMs = 100 } = deps;
  const loginQueueOf = createLoginQueues();
  let waiting = 0;

  const serve = async (key: string, loginQueue: LoginQueue): Promise<void> => {
    const { queue } = loginQueue;
    while (queue.size() > 0) {
      const { isAllowed } = await pace.take(key);
      if (isAllowed) {
        queue.next()?.acquire();
      } else {
        await sleep(pollMs);
      }
    }
    loginQueue.isServed = false;
  };

  const queueOf = (key: string): FairQueue<PacedWaiter> => {
    const loginQueue = loginQueueOf(key);
    if (!loginQueue.isServed) {
      loginQueue.isServed = true;
      setImmediate(() => void serve(key, loginQueue));
    }
    return loginQueue.queue;
  };

  return {
    wait: (key, requester) => {
      if (waiting >= maxWaiting.inAll && !requester.isPreferred) {
        return Promise.reject(tooManyAttempts());
      }
      const queue = queueOf(key);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          waiting -= 1;
        };
        const waiter: PacedWaiter = {
          acquire: () => {
            leave();
            resolve();
          },
          reject: () => {
            leave();
            reject(tooManyAttempts());
          },
        };
        const timer = setTimeout(() => {
          queue.remove(requester, waiter);
          waiter.reject();
        }, maxWaitMs);
        waiting += 1;
        const { isAccepted, displaced } = queue.add(requester, waiter);
        displaced?.reject();
        if (!isAccepted) {
          waiter.reject();
        }
      });
    },
  };
}

/** Empty queues are kept, because they remember which networks were served. */
const maxQueues = 1_000;

/** The queue of each login. */
function createLoginQueues(): (key: string) => LoginQueue {
  const queues = new Map<string, LoginQueue>(); // least recently used first
  const dropEmpty = (): void => {
    for (const [key, { queue }] of queues) {
      if (queues.size < maxQueues) {
        return;
      }
      if (queue.size() === 0) {
        queues.delete(key);
      }
    }
  };
  return (key) => {
    const loginQueue = queues.get(key) ?? {
      queue: createFairQueue<PacedWaiter>(maxWaiting.perKey, { isNewestFirst: true }),
      isServed: false,
    };
    queues.delete(key);
    dropEmpty();
    queues.set(key, loginQueue);
    return loginQueue;
  };
}

const retryAfterSeconds = 30;

function tooManyAttempts() {
  return rateLimited(
    { isAllowed: false, limit: maxWaiting.perKey, remaining: 0, resetSeconds: retryAfterSeconds },
    "Too many failed logins.",
  );
}

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
