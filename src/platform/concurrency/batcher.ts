import { toError } from "../errors.ts";

/** Combines single calls into batches (group commit). */
export type Batcher<In, Out> = {
  add(item: In): Promise<Out>;
  /** Items that wait or are in a running batch. */
  readonly size: number;
};

type PendingItem<In, Out> = {
  item: In;
  resolve: (result: Out) => void;
  reject: (error: Error) => void;
};

/**
 * While no batch runs, a call starts one in the same turn of the event loop; calls that arrive
 * while a batch runs make up the next one. So latency is low when idle, and under load there is one
 * statement per batch. `run` returns one result per item, in order; if it rejects, all its items do.
 */
export function createBatcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  maxBatch: number,
): Batcher<In, Out> {
  let waiting: PendingItem<In, Out>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const settle = (batch: readonly PendingItem<In, Out>[], results: readonly Out[]): void => {
    batch.forEach(({ resolve }, index) => resolve(results[index] as Out));
  };

  const flush = async (): Promise<void> => {
    isScheduled = false;
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    inFlight = batch.length;
    try {
      settle(batch, await run(batch.map(({ item }) => item)));
    } catch (thrown) {
      const error = toError(thrown);
      batch.forEach(({ reject }) => reject(error));
    } finally {
      inFlight = 0;
      schedule();
    }
  };

  const schedule = (): void => {
    if (!isScheduled && inFlight === 0 && waiting.length > 0) {
      isScheduled = true;
      setImmediate(() => void flush());
    }
  };

  return {
    add: (item) =>
      new Promise<Out>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      }),
    get size() {
      return waiting.length + inFlight;
    },
  };
}
