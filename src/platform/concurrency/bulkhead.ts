/**
 * A bounded number of places for work that goes on at once. Work that takes long gives its place to
 * others after a while and goes on beside them: what only waits for somebody slow costs memory, not
 * a place. How much may go on beside is bounded by whoever brings the work.
 */
export type Bulkhead = {
  /** Runs the work as soon as there is a place. */
  run(work: () => Promise<void>): Promise<void>;
  /** How much holds a place, goes on without one, and waits for one. */
  counts(): { held: number; parked: number; waiting: number };
};

export type BulkheadOptions = {
  capacity: number;
  /** After how long work gives its place away, looked at four times within it. */
  overflowAfterMs: number;
  /** Milliseconds since some moment. */
  now?: () => number;
};

type RunningWork = { startedAt: number; isParked: boolean };

/** A class, because this runs for each delivery: closures would be made anew for each. */
class OverflowBulkhead implements Bulkhead {
  readonly #options: Required<BulkheadOptions>;
  /** In the order of their starts, so that a look at them ends at the first young one. */
  readonly #holding = new Set<RunningWork>();
  readonly #waiting: (() => void)[] = [];
  #parked = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Required<BulkheadOptions>) {
    this.#options = options;
  }

  async run(work: () => Promise<void>): Promise<void> {
    const run = this.#holding.size < this.#options.capacity ? this.#hold() : await this.#wait();
    try {
      await work();
    } finally {
      this.#leave(run);
    }
  }

  counts(): ReturnType<Bulkhead["counts"]> {
    return { held: this.#holding.size, parked: this.#parked, waiting: this.#waiting.length };
  }

  #hold(): RunningWork {
    const { now, overflowAfterMs } = this.#options;
    const run = { startedAt: now(), isParked: false };
    this.#holding.add(run);
    this.#timer ??= setInterval(() => this.#park(), overflowAfterMs / 4);
    return run;
  }

  async #wait(): Promise<RunningWork> {
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#hold()));
    });
  }

  #leave(run: RunningWork): void {
    if (run.isParked) {
      this.#parked -= 1;
      return;
    }
    this.#holding.delete(run);
    this.#letIn();
    this.#stopLooking();
  }

  #park(): void {
    const before = this.#options.now() - this.#options.overflowAfterMs;
    for (const run of this.#holding) {
      if (run.startedAt > before) {
        break;
      }
      run.isParked = true;
      this.#parked += 1;
      this.#holding.delete(run);
    }
    this.#letIn();
    this.#stopLooking();
  }

  #letIn(): void {
    while (this.#holding.size < this.#options.capacity) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        return;
      }
      next();
    }
  }

  #stopLooking(): void {
    if (this.#holding.size === 0) {
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
