/**
 * Bulkheads: concurrency limits whose slow work gives up its slot, because waiting for a slow peer
 * must not block others.
 */

/**
 * At most `capacity` runs hold a slot. A run that takes longer than `overflowAfterMs` gives its slot
 * to the next one and continues beside it: that costs memory, not a slot. At most `most` run in all.
 */
export type Bulkhead = {
  /** Runs the work as soon as a slot is free, or else what `patience` says. */
  run(work: () => Promise<void>, patience?: SlotWait): Promise<void>;
  /** Runs that hold a slot, that moved to the overflow, and that wait for a slot. */
  counts(): { held: number; inOverflow: number; waiting: number };
};

/** How long work waits for a slot, and what is done in its place after that. */
export type SlotWait = Readonly<{ maxWaitMs: number; giveUp: () => Promise<void> }>;

export type BulkheadOptions = {
  capacity: number;
  /** With those in the overflow. */
  most: number;
  /** Checked four times within this time. */
  overflowAfterMs: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

type BulkheadWork = { startedAt: number; isInOverflow: boolean };

/** A class: it runs once per delivery, and closures would be allocated for each. */
class OverflowBulkhead implements Bulkhead {
  readonly #options: Required<BulkheadOptions>;
  /** Ordered by start time, so that a scan can stop at the first young run. */
  readonly #running = new Set<BulkheadWork>();
  readonly #waiters = new Set<() => void>();
  #overflowCount = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Required<BulkheadOptions>) {
    this.#options = options;
  }

  async run(work: () => Promise<void>, patience?: SlotWait): Promise<void> {
    const run = this.#hasRoom() ? this.#acquire() : await this.#queue(patience);
    if (run === undefined) {
      return patience?.giveUp();
    }
    try {
      await work();
    } finally {
      this.#release(run);
    }
  }

  counts(): ReturnType<Bulkhead["counts"]> {
    return {
      held: this.#running.size,
      inOverflow: this.#overflowCount,
      waiting: this.#waiters.size,
    };
  }

  #hasRoom(): boolean {
    const { capacity, most } = this.#options;
    const held = this.#running.size;
    return held < capacity && held + this.#overflowCount < most;
  }

  #acquire(): BulkheadWork {
    const { now, overflowAfterMs } = this.#options;
    const run = { startedAt: now(), isInOverflow: false };
    this.#running.add(run);
    this.#timer ??= setInterval(() => this.#moveToOverflow(), overflowAfterMs / 4);
    return run;
  }

  /** Undefined if no slot was free in time. */
  async #queue(patience?: SlotWait): Promise<BulkheadWork | undefined> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const start = (): void => {
        clearTimeout(timer);
        resolve(this.#acquire());
      };
      this.#waiters.add(start);
      if (patience !== undefined) {
        timer = setTimeout(() => {
          this.#waiters.delete(start);
          resolve(undefined);
        }, patience.maxWaitMs);
      }
    });
  }

  #release(run: BulkheadWork): void {
    if (run.isInOverflow) {
      this.#overflowCount -= 1;
      this.#admit();
      return;
    }
    this.#running.delete(run);
    this.#admit();
    this.#stopTimer();
  }

  #moveToOverflow(): void {
    const startedBefore = this.#options.now() - this.#options.overflowAfterMs;
    for (const run of this.#running) {
      if (run.startedAt > startedBefore) {
        break;
      }
      run.isInOverflow = true;
      this.#overflowCount += 1;
      this.#running.delete(run);
    }
    this.#admit();
    this.#stopTimer();
  }

  #admit(): void {
    while (this.#hasRoom()) {
      const [next] = this.#waiters;
      if (next === undefined) {
        return;
      }
      this.#waiters.delete(next);
      next();
    }
  }

  #stopTimer(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}

export function createBulkhead({
  now = () => performance.now(),
  ...options
}: BulkheadOptions): Bulkhead {
  return new OverflowBulkhead({ ...options, now });
}

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
