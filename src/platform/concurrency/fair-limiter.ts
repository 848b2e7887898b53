import { createTenantSemaphore, type TenantLimits } from "./semaphore.ts";

/** Runs the work of a tenant within the limits, or throws the limiter's error. */
export type FairLimiter = <T>(tenantId: number, work: () => Promise<T>) => Promise<T>;

type Release = () => void;
type Waiter = Readonly<{ tenantId: number; grant(release: Release): void }>;

const defaultMaxWaitMs = 2_000;

/** A waiter costs an open request and little memory. */
const queueLimits: TenantLimits = { perTenant: 20, total: 200 };

/**
 * Limits concurrent work per tenant and per process. Excess work queues: first the tenant with the
 * least running work, then the longest wait. Throws `busyError()` after `maxWaitMs` in the queue,
 * and at once if the queue is full.
 */
export function createFairLimiter(
  limits: TenantLimits,
  busyError: () => Error,
  maxWaitMs = defaultMaxWaitMs,
): FairLimiter {
  const running = createTenantSemaphore(limits);
  const queued = createTenantSemaphore(queueLimits);
  const waiters = new Set<Waiter>();

  const waitForPermit = (tenantId: number): Promise<Release | undefined> =>
    new Promise((resolve) => {
      const leave = (release?: Release): void => {
        clearTimeout(timer);
        waiters.delete(waiter);
        resolve(release);
      };
      const waiter = { tenantId, grant: leave };
      const timer = setTimeout(() => leave(), maxWaitMs);
      waiters.add(waiter);
    });

  const queue = async (tenantId: number): Promise<Release | undefined> => {
    const leaveQueue = queued.tryAcquire(tenantId);
    try {
      return leaveQueue === undefined ? undefined : await waitForPermit(tenantId);
    } finally {
      leaveQueue?.();
    }
  };

  /** Called after one release, so it admits at most one waiter. */
  const admitNext = (): void => {
    const byRunning = [...waiters].toSorted(
      (a, b) => running.inUse(a.tenantId) - running.inUse(b.tenantId),
    );
    for (const { tenantId, grant } of byRunning) {
      const release = running.tryAcquire(tenantId);
      if (release !== undefined) {
        grant(release);
        return;
      }
    }
  };

  return async (tenantId, work) => {
    const release = running.tryAcquire(tenantId) ?? (await queue(tenantId));
    if (release === undefined) {
      throw busyError();
    }
    try {
      return await work();
    } finally {
      release();
      admitNext();
    }
  };
}
