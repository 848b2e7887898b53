import { hash, parseOptions, verify } from "@node-rs/argon2";
import { problem } from "../contracts/problems.ts";
import { createFairQueue, type Requester } from "../platform/concurrency/fair-queue.ts";
import type { Ids } from "../platform/ids.ts";

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
    hash: (password) => hash(password, cost),
    check: async (storedHash, password) => {
      const stored = storedHash?.startsWith("$argon2") === true ? storedHash : undefined;
      decoy ??= hash("nobody has this password", cost);
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
