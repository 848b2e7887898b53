import { problem } from "../../contracts/problems.ts";
import { createTenantSemaphore } from "./tenant-semaphore.ts";

export type FairLimiter = <T>(enterpriseId: number, work: () => Promise<T>) => Promise<T>;

type ConcurrencyLimits = Readonly<{ perEnterprise: number; inAll: number }>;
type Release = () => void;

const longestWaitMs = 2_000;
const comeBackSeconds = 5;

/** Those who wait hold a request each, and nothing else. */
const mostWaiting = { perEnterprise: 20, inAll: 200 };

/**
 * Lets so much of one kind of work be under way, for each enterprise and in this process. What is
 * more waits for its turn: first comes whose enterprise has the least under way, then who waits
 * longest. Throws the problem `rate_limited`, with `detail`, where no turn came within `waitMs`, and
 * at once where too many wait.
 */
export function createFairLimiter(
  limits: ConcurrencyLimits,
  detail: string,
  waitMs = longestWaitMs,
): FairLimiter {
  const seats = createTenantSemaphore(limits);
  const queue = createTenantSemaphore(mostWaiting);
  const waiting = new Set<{ enterpriseId: number; enter(release: Release): void }>();

  const nextTurn = (enterpriseId: number): Promise<Release | undefined> =>
    new Promise((resolve) => {
      const leave = (release?: Release): void => {
        clearTimeout(timer);
        waiting.delete(one);
        resolve(release);
      };
      const one = { enterpriseId, enter: leave };
      const timer = setTimeout(() => leave(), waitMs);
      waiting.add(one);
    });

  const wait = async (enterpriseId: number): Promise<Release | undefined> => {
    const leaveQueue = queue.tryAcquire(enterpriseId);
    try {
      return leaveQueue === undefined ? undefined : await nextTurn(enterpriseId);
    } finally {
      leaveQueue?.();
    }
  };

  /** One seat was given back, so there is one for one of them at most. */
  const admitNext = (): void => {
    const byNeed = [...waiting].toSorted(
      (a, b) => seats.inUse(a.enterpriseId) - seats.inUse(b.enterpriseId),
    );
    for (const { enterpriseId, enter } of byNeed) {
      const release = seats.tryAcquire(enterpriseId);
      if (release !== undefined) {
        enter(release);
        return;
      }
    }
  };

  return async (enterpriseId, work) => {
    const release = seats.tryAcquire(enterpriseId) ?? (await wait(enterpriseId));
    if (release === undefined) {
      throw problem("rate_limited", detail, {
        headers: { "Retry-After": String(comeBackSeconds) },
      });
    }
    try {
      return await work();
    } finally {
      release();
      admitNext();
    }
  };
}
