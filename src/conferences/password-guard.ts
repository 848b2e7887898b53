/** Passwords are made of the keys of a telephone, and short: they must not be tried out. */
import { Problem } from "../contracts/problems.ts";
import { rateLimited } from "../http/limits.ts";
import type { RateLimiter } from "../http/rate-limit.ts";

/** Counts wrong passwords. */
export type WrongPasswords = Pick<RateLimiter, "peek" | "take">;

/** Whose tries these are, and at which room. */
export type Attempt = Readonly<{
  who: string;
  room: string | number;
  password: string | undefined;
}>;

export type PasswordGuard = {
  /** Throws where this visitor was wrong too often about this room. */
  require(attempt: Attempt): Promise<void>;
  /** The password was wrong. Who gave none did not try. */
  count(attempt: Attempt): Promise<void>;
};

export function isPasswordFault(thrown: unknown): boolean {
  return thrown instanceof Problem && thrown.details === "Parameter password";
}

export function createPasswordGuard(wrong: WrongPasswords): PasswordGuard {
  return {
    require: async (attempt) => {
      if (attempt.password === undefined) {
        return;
      }
      const verdict = await wrong.peek(keyOf(attempt));
      if (!verdict.isAllowed) {
        throw rateLimited(verdict, "Too many wrong passwords.");
      }
    },
    count: async (attempt) => {
      if (attempt.password !== undefined) {
        await wrong.take(keyOf(attempt));
      }
    },
  };
}

function keyOf({ room, who }: Attempt): string {
  return `conference:${room}:${who}`;
}
