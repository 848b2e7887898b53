import { hash, parseOptions, verify } from "@node-rs/argon2";
import { problem } from "../contracts/problems.ts";
import type { Ids } from "../platform/ids.ts";

/** argon2id with the least cost that OWASP recommends: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashing runs in libuv's four threads, which file access and name resolution need too. */
const maxHashesAtOnce = 2;
/** About two seconds of waiting; whoever comes then is told to come back. */
const maxWaiting = 100;

export const passwordRule =
  "at least 12 characters, or 8 with an upper-case letter, a lower-case letter and a digit";

export const isGoodPassword = (password: string): boolean => {
  const length = [...password].length;
  const isMixed = /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password) && /\d/u.test(password);
  return length <= 1024 && (length >= 12 || (length >= 8 && isMixed));
};

/** 119 bits, in groups that can be read out. */
export const generatePassword = (ids: Pick<Ids, "base62">): string =>
  Array.from({ length: 4 }, () => ids.base62(5)).join("-");

export type Check = { isRight: boolean; isOutdated: boolean };

export type Passwords = {
  /** Runs work that hashes: at most two at once, the rest in turn. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  hash(password: string): Promise<string>;
  /** Takes as long without a hash (no such user, or one without a password) as with one. */
  check(stored: string | undefined, password: string): Promise<Check>;
};

const isOutdated = (stored: string): boolean => {
  const used = parseOptions(stored);
  return (
    used.memoryCost !== cost.memoryCost ||
    used.timeCost !== cost.timeCost ||
    used.parallelism !== cost.parallelism
  );
};

const createTurns = (): Passwords["inTurn"] => {
  let running = 0;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (running < maxHashesAtOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= maxWaiting) {
      throw problem("dependency_down", "Too many logins at once. Try again.", {
        headers: { "Retry-After": "2" },
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) {
      running -= 1;
    } else {
      next(); // the place goes over to the next one
    }
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};

export const createPasswords = (): Passwords => {
  let decoy: Promise<string> | undefined;
  return {
    inTurn: createTurns(),
    hash: (password) => hash(password, cost),
    check: async (kept, password) => {
      const stored = kept?.startsWith("$argon2") === true ? kept : undefined;
      decoy ??= hash("nobody has this password", cost);
      const isRight = await verify(stored ?? (await decoy), password);
      return stored === undefined
        ? { isRight: false, isOutdated: false }
        : { isRight, isOutdated: isRight && isOutdated(stored) };
    },
  };
};
