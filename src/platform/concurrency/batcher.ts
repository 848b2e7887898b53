import { toError } from "../errors.ts";

/** Gathers single calls into batches. */
export type Batcher<In, Out> = {
  add(item: In): Promise<Out>;
  /** Items that wait or are under way. */
  readonly size: number;
};

type PendingItem<In, Out> = {
  item: In;
  resolve: (result: Out) => void;
  reject: (error: Error) => void;
};

/**
 * Group commit: while nothing is under way a call goes out in the same turn of the event loop, and
 * whatever arrives while one is under way makes up the next batch. So a quiet system is quick and
 * a busy one pays for a statement once per batch. `run` answers for each item, in order; when it
 * rejects, every item of the batch does.
 */
export function createBatcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  maxBatch: number,
): Batcher<In, Out> {
  let waiting: PendingItem<In, Out>[] = [];
  let underWay = 0;
  let isScheduled = false;

  const settle = (batch: readonly PendingItem<In, Out>[], results: readonly Out[]): void => {
    batch.forEach(({ resolve }, index) => resolve(results[index] as Out));
  };

  const flush = async (): Promise<void> => {
    isScheduled = false;
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    underWay = batch.length;
    try {
      settle(batch, await run(batch.map(({ item }) => item)));
    } catch (thrown) {
      const error = toError(thrown);
      batch.forEach(({ reject }) => reject(error));
    } finally {
      underWay = 0;
      schedule();
    }
  };

  const schedule = (): void => {
    if (!isScheduled && underWay === 0 && waiting.length > 0) {
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
      return waiting.length + underWay;
    },
  };
}
