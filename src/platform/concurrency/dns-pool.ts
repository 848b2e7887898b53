/**
 * Who may hold a thread for a DNS lookup now, and who waits. A lookup cannot be stopped, so a slow
 * one keeps its thread whatever anybody decides; what can be decided is whether others wait for it.
 */
export type DnsPoolOptions = {
  /** Lookups at once. */
  slots: number;
  /** So many late ones do not count as running: their threads are given up for lost. */
  maxLate: number;
  /** Lookups of one group at once, late ones too: a group in trouble holds up itself. */
  perGroup: number;
  maxWaiting: number;
};

/** A place that a running lookup holds. Both functions may be called once, `end` always must. */
export type DnsSlot = { markLate(): void; release(): void };

export type DnsPool = {
  /**
   * Starts at once or in its turn, and answers how to give up waiting. Undefined, and never
   * started, where too many wait already.
   */
  acquire(group: string, start: (turn: DnsSlot) => void): (() => void) | undefined;
};

type DnsWaiter = { group: string; start: (turn: DnsSlot) => void };

export function createDnsPool({ slots, maxLate, perGroup, maxWaiting }: DnsPoolOptions): DnsPool {
  const waiting = new Set<DnsWaiter>();
  const ofGroup = new Map<string, number>();
  let running = 0;
  let late = 0;

  const countOf = (group: string): number => ofGroup.get(group) ?? 0;
  const hasSlot = (): boolean => running - Math.min(late, maxLate) < slots;

  const leave = (group: string): void => {
    const left = countOf(group) - 1;
    if (left === 0) {
      ofGroup.delete(group);
    } else {
      ofGroup.set(group, left);
    }
    running -= 1;
  };

  const turnOf = (group: string): DnsSlot => {
    let isLate = false;
    return {
      markLate: () => {
        isLate = true;
        late += 1;
        startNext();
      },
      release: () => {
        leave(group);
        late -= isLate ? 1 : 0;
        startNext();
      },
    };
  };

  const begin = ({ group, start }: DnsWaiter): void => {
    running += 1;
    ofGroup.set(group, countOf(group) + 1);
    start(turnOf(group));
  };

  const startNext = (): void => {
    for (const waiter of waiting) {
      if (!hasSlot()) {
        return;
      }
      if (countOf(waiter.group) < perGroup) {
        waiting.delete(waiter);
        begin(waiter);
      }
    }
  };

  return {
    acquire: (group, start) => {
      const waiter = { group, start };
      if (hasSlot() && countOf(group) < perGroup) {
        begin(waiter);
        return () => undefined;
      }
      if (waiting.size >= maxWaiting) {
        return undefined;
      }
      waiting.add(waiter);
      return () => {
        waiting.delete(waiter);
      };
    },
  };
}
