import { createFairLimiter, type FairLimiter } from "../platform/concurrency/fair-limiter.ts";

/** Questions that may take a processor, or the database, for seconds. */
export function createExpensiveQueryLimiter(): FairLimiter {
  return createFairLimiter(
    { perEnterprise: 2, inAll: 8 },
    "Too many such questions at once. Wait for the answer to one.",
  );
}
