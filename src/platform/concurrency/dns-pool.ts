/**
 * Shares the threads of DNS lookups between groups. A lookup cannot be cancelled, so a slow one
 * keeps its thread; the pool decides only whether other lookups wait for it.
 */
export type DnsPoolOptions = {
  /** Concurrent lookups. */
  slots: number;
  /** Up to this many late lookups do not count against `slots`: their threads are written off. */
  maxLate: number;
  /** Concurrent lookups per group, late ones included: a failing group delays only itself. */
  perGroup: number;
  maxWaiting: number;
};

/** The slot of one running lookup. `release` must be called once, `markLate` at most once before. */
export type DnsSlot = { markLate(): void; release(): void };

export type DnsPool = {
  /**
   * Calls `start` at once or when a slot is free. Returns how to give up waiting; undefined, and
   * never started, if too many wait already.
   */
  acquire(group: string, start: (slot: DnsSlot) => void): (() => void) | undefined;
};

type DnsWaiter = { group: string; start: (slot: DnsSlot) => void };

export function createDnsPool({ slots, maxLate, perGroup, maxWaiting }: DnsPoolOptions): DnsPool {
  const waiters = new Set<DnsWaiter>();
  const runningByGroup = new Map<string, number>();
  let running = 0;
  let late = 0;

  const countOf = (group: string): number => runningByGroup.get(group) ?? 0;
  const hasSlot = (): boolean => running - Math.min(late, maxLate) < slots;

  const releaseSlot = (group: string): void => {
    const count = countOf(group) - 1;
    if (count === 0) {
      runningByGroup.delete(group);
    } else {
      runningByGroup.set(group, count);
    }
    running -= 1;
  };

  const createSlot = (group: string): DnsSlot => {
    let isLate = false;
    return {
      markLate: () => {
        isLate = true;
        late += 1;
        admitNext();
      },
      release: () => {
        releaseSlot(group);
        late -= isLate ? 1 : 0;
        admitNext();
      },
    };
  };

  const admit = ({ group, start }: DnsWaiter): void => {
    running += 1;
    runningByGroup.set(group, countOf(group) + 1);
    start(createSlot(group));
  };

  const admitNext = (): void => {
    for (const waiter of waiters) {
      if (!hasSlot()) {
        return;
      }
      if (countOf(waiter.group) < perGroup) {
        waiters.delete(waiter);
        admit(waiter);
      }
    }
  };

  return {
    acquire: (group, start) => {
      const waiter = { group, start };
      if (hasSlot() && countOf(group) < perGroup) {
        admit(waiter);
        return () => undefined;
      }
      if (waiters.size >= maxWaiting) {
        return undefined;
      }
      waiters.add(waiter);
      return () => {
        waiters.delete(waiter);
      };
    },
  };
}
