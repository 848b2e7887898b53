/** Limiters: of concurrent work (semaphores, per tenant, fair) and of rates (token bucket). */

/** A counting semaphore whose waiters are served in the order of their arrival. */
export type Semaphore = Readonly<{
  /** Takes a permit if one is free. */
  tryAcquire(): boolean;
  /** Waits for a permit. False after the time-out, or if the signal aborts first. */
  acquire(options?: AcquireOptions): Promise<boolean>;
  /** Returns one permit. Every acquired permit must be returned once. */
  release(): void;
  /** Runs the work with a permit, however long it has to wait for one. */
  run<T>(work: () => Promise<T>): Promise<T>;
}>;

export type AcquireOptions = Readonly<{ timeoutMs?: number; signal?: AbortSignal }>;

/** A semaphore without waiting, with limits per tenant, per user, and for the whole process. */
export type TenantSemaphore = {
  /**
   * Returns the release function, or undefined if a limit is reached. Releasing twice does no
   * harm. `userId` counts only where the limits have `perUser`.
   */
  tryAcquire(tenantId: number, userId?: number | string): (() => void) | undefined;
  /** Permits that the tenant holds. */
  inUse(tenantId: number): number;
};

export type TenantLimits = Readonly<{ perTenant: number; total: number; perUser?: number }>;

export function createSemaphore(permits: number): Semaphore {
  let free = permits;
  const waiters = new Set<() => void>();

  const tryAcquire = (): boolean => {
    if (free === 0) {
      return false;
    }
    free -= 1;
    return true;
  };

  const wait = ({ timeoutMs, signal }: AcquireOptions): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (isAcquired: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        waiters.delete(grant);
        resolve(isAcquired);
      };
      const grant = (): void => settle(true);
      const giveUp = (): void => settle(false);
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
      signal?.addEventListener("abort", giveUp, { once: true });
      waiters.add(grant);
    });

  const acquire = async (options: AcquireOptions = {}): Promise<boolean> =>
    options.signal?.aborted !== true && (tryAcquire() || wait(options));

  /** The permit passes to the first waiter directly, so that nobody can overtake it. */
  const release = (): void => {
    const [grant] = waiters;
    if (grant === undefined) {
      free += 1;
    } else {
      grant();
    }
  };

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  };

  return { tryAcquire, acquire, release, run };
}

export function createTenantSemaphore({
  perTenant,
  total,
  perUser = Number.POSITIVE_INFINITY,
}: TenantLimits): TenantSemaphore {
  const tenants = createCounter(perTenant);
  const users = createCounter(perUser);
  let inUse = 0;
  const add = (change: number, tenantId: number, userId: number | string | undefined): void => {
    inUse += change;
    tenants.add(tenantId, change);
    if (userId !== undefined) {
      users.add(userId, change);
    }
  };
  return {
    inUse: tenants.countOf,
    tryAcquire: (tenantId, userId) => {
      const isUserFull = userId !== undefined && users.isFull(userId);
      if (inUse >= total || tenants.isFull(tenantId) || isUserFull) {
        return undefined;
      }
      add(1, tenantId, userId);
      let isHeld = true;
      return () => {
        if (isHeld) {
          isHeld = false;
          add(-1, tenantId, userId);
        }
      };
    },
  };
}

/** Permits in use per key. */
function createCounter(limit: number) {
  const counts = new Map<number | string, number>();
  const countOf = (key: number | string): number => counts.get(key) ?? 0;
  const add = (key: number | string, change: number): void => {
    const count = countOf(key) + change;
    if (count === 0) {
      counts.delete(key);
    } else {
      counts.set(key, count);
    }
  };
  return { countOf, isFull: (key: number | string) => countOf(key) >= limit, add };
}

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

/** Allows a burst of `size`, then `perSecond` on average. */
export type TokenBucket = Readonly<{ tryTake(count?: number): boolean }>;

export type TokenBucketOptions = Readonly<{ size: number; perSecond: number }>;

export function createTokenBucket(
  { size, perSecond }: TokenBucketOptions,
  nowMs: () => number,
): TokenBucket {
  let tokens = size;
  let refilledAtMs = nowMs();
  return {
    tryTake: (count = 1) => {
      const now = nowMs();
      tokens = Math.min(size, tokens + ((now - refilledAtMs) / 1_000) * perSecond);
      refilledAtMs = now;
      if (tokens < count) {
        return false;
      }
      tokens -= count;
      return true;
    },
  };
}
