import { problem } from "../contracts/problems.ts";
import { createSeats } from "./seats.ts";

export type Turnstile = <T>(enterpriseId: number, work: () => Promise<T>) => Promise<T>;

const comeBackSeconds = 5;

/**
 * Lets so much of one kind of work be under way, for each enterprise and in this process. Throws
 * the problem `rate_limited`, with `detail`, for what is more.
 */
export const createTurnstile = (
  limits: Parameters<typeof createSeats>[0],
  detail: string,
): Turnstile => {
  const seats = createSeats(limits);
  return async (enterpriseId, work) => {
    const release = seats.take(enterpriseId);
    if (release === undefined) {
      throw problem("rate_limited", detail, {
        headers: { "Retry-After": String(comeBackSeconds) },
      });
    }
    try {
      return await work();
    } finally {
      release();
    }
  };
};
