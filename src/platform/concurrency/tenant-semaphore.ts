/** Seats for what holds on to a process: calls that wait, streams, questions that take long. */
export type TenantSemaphore = {
  /**
   * Gives the seat back; undefined where there is none left. `userId`: whom it is counted for
   * besides their enterprise, where the seats are bounded for each user.
   */
  tryAcquire(enterpriseId: number, userId?: number | string): (() => void) | undefined;
  /** How many an enterprise has. */
  inUse(enterpriseId: number): number;
};

type TenantLimits = Readonly<{ perEnterprise: number; inAll: number; perUser?: number }>;

/**
 * At most `perEnterprise` for each enterprise, `perUser` for each user where it is given, and
 * `inAll` in this process.
 */
export function createTenantSemaphore({
  perEnterprise,
  inAll,
  perUser = Number.POSITIVE_INFINITY,
}: TenantLimits): TenantSemaphore {
  const enterprises = createCounter(perEnterprise);
  const users = createCounter(perUser);
  let all = 0;
  const add = (change: number, enterpriseId: number, userId: number | string | undefined): void => {
    all += change;
    enterprises.add(enterpriseId, change);
    if (userId !== undefined) {
      users.add(userId, change);
    }
  };
  return {
    inUse: enterprises.countOf,
    tryAcquire: (enterpriseId, userId) => {
      const isUserFull = userId !== undefined && users.isFull(userId);
      if (all >= inAll || enterprises.isFull(enterpriseId) || isUserFull) {
        return undefined;
      }
      add(1, enterpriseId, userId);
      let isHeld = true;
      return () => {
        if (isHeld) {
          isHeld = false;
          add(-1, enterpriseId, userId);
        }
      };
    },
  };
}

/** How many each one has. */
function createCounter(most: number) {
  const taken = new Map<number | string, number>();
  const countOf = (id: number | string): number => taken.get(id) ?? 0;
  const add = (id: number | string, change: number): void => {
    const count = countOf(id) + change;
    if (count === 0) {
      taken.delete(id);
    } else {
      taken.set(id, count);
    }
  };
  return { countOf, isFull: (id: number | string) => countOf(id) >= most, add };
}
