import { problem } from "../contracts/problems.ts";
import { createFairLimiter, type FairLimiter } from "../platform/concurrency/fair-limiter.ts";
import type { TenantLimits } from "../platform/concurrency/semaphore.ts";

const retryAfterSeconds = 5;

/** Queries that may occupy a processor, or the database, for seconds. */
export function createExpensiveQueryLimiter(): FairLimiter {
  return createRequestLimiter(
    { perTenant: 2, total: 8 },
    "Too many expensive queries at once. Wait for one to finish.",
  );
}

/** A fair limiter for requests: throws the problem `rate_limited` with `detail` when it is busy. */
export function createRequestLimiter(limits: TenantLimits, detail: string): FairLimiter {
  return createFairLimiter(limits, () =>
    problem("rate_limited", detail, { headers: { "Retry-After": String(retryAfterSeconds) } }),
  );
}
