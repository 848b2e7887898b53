/**
 * A bulkhead with overflow: at most `capacity` runs hold a slot. A run that takes longer than
 * `overflowAfterMs` gives its slot to the next one and continues beside it, because waiting for a
 * slow peer costs memory, not a slot. The caller bounds how much may run in all.
 */
export type Bulkhead = {
  /** Runs the work as soon as a slot is free. */
  run(work: () => Promise<void>): Promise<void>;
  /** Runs that hold a slot, that moved to the overflow, and that wait for a slot. */
  counts(): { held: number; inOverflow: number; waiting: number };
};

export type BulkheadOptions = {
  capacity: number;
  /** Checked four times within this time. */
  overflowAfterMs: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

type RunningWork = { startedAt: number; isInOverflow: boolean };

/** A class: it runs once per delivery, and closures would be allocated for each. */
class OverflowBulkhead implements Bulkhead {
  readonly #options: Required<BulkheadOptions>;
  /** Ordered by start time, so that a scan can stop at the first young run. */
  readonly #running = new Set<RunningWork>();
  readonly #waiters: (() => void)[] = [];
  #overflowCount = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Required<BulkheadOptions>) {
    this.#options = options;
  }

  async run(work: () => Promise<void>): Promise<void> {
    const run = this.#running.size < this.#options.capacity ? this.#acquire() : await this.#queue();
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
      waiting: this.#waiters.length,
    };
  }

  #acquire(): RunningWork {
    const { now, overflowAfterMs } = this.#options;
    const run = { startedAt: now(), isInOverflow: false };
    this.#running.add(run);
    this.#timer ??= setInterval(() => this.#moveToOverflow(), overflowAfterMs / 4);
    return run;
  }

  async #queue(): Promise<RunningWork> {
    return new Promise((resolve) => {
      this.#waiters.push(() => resolve(this.#acquire()));
    });
  }

  #release(run: RunningWork): void {
    if (run.isInOverflow) {
      this.#overflowCount -= 1;
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
    while (this.#running.size < this.#options.capacity) {
      const next = this.#waiters.shift();
      if (next === undefined) {
        return;
      }
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
