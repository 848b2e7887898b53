import { toError } from "../errors.ts";
import { sleep } from "./async.ts";

/**
 * A bounded queue that serves groups round-robin, so that no single group can fill it. Pure.
 *
 * The least recently served group is next, however many waiters it has; a group that was never
 * served comes first. The last service of a group is remembered after it left, so that it cannot
 * come back as a new one. Preferred waiters have a queue of their own, which is served three times
 * of four while both queues have waiters, so that neither starves. If a queue is full, the largest
 * group loses the waiter who would be served last; that may be the new one.
 *
 * With `isNewestFirst` both new groups and waiters within a group are served last in, first out: a
 * flood delays nobody who comes after it, and a flood from one group displaces its own oldest.
 */

export type Requester = Readonly<{
  /** For instance a client's network, or an enterprise. */
  group: string;
  isPreferred: boolean;
}>;

export type QueueAdmission<T> = Readonly<{
  isAccepted: boolean;
  /** The waiter that was removed to make room. */
  displaced?: T;
}>;

export type FairQueue<T> = {
  add(requester: Requester, waiter: T): QueueAdmission<T>;
  next(): T | undefined;
  /** For waiters that gave up. */
  remove(requester: Requester, waiter: T): void;
  size(): number;
};

type GroupQueue<T> = Omit<FairQueue<T>, "add" | "remove"> & {
  add(group: string, waiter: T): QueueAdmission<T>;
  remove(group: string, waiter: T): void;
};

const preferredInARow = 3;

/** `maxWaiting` bounds each of the two queues. */
export function createFairQueue<T extends object>(
  maxWaiting: number,
  { isNewestFirst = false }: Readonly<{ isNewestFirst?: boolean }> = {},
): FairQueue<T> {
  const preferred = createGroupQueue<T>(maxWaiting, isNewestFirst);
  const others = createGroupQueue<T>(maxWaiting, isNewestFirst);
  const queueOf = ({ isPreferred }: Requester): GroupQueue<T> => (isPreferred ? preferred : others);
  let inARow = 0;
  return {
    size: () => preferred.size() + others.size(),
    add: (requester, waiter) => queueOf(requester).add(requester.group, waiter),
    remove: (requester, waiter) => queueOf(requester).remove(requester.group, waiter),
    next: () => {
      const mustServeOthers = inARow >= preferredInARow && others.size() > 0;
      if (preferred.size() > 0 && !mustServeOthers) {
        inARow += 1;
        return preferred.next();
      }
      inARow = 0;
      return others.next();
    },
  };
}

/** More groups than are served in a quarter of an hour at ten a minute. */
const maxRemembered = 200;

function createGroupQueue<T>(maxWaiting: number, isNewestFirst: boolean): GroupQueue<T> {
  const groups = new Map<string, T[]>();
  const lastServed = new Map<string, number>();
  let served = 0;
  let size = 0;

  const set = (group: string, waiters: T[]): void => {
    size += waiters.length - (groups.get(group)?.length ?? 0);
    if (waiters.length === 0) {
      groups.delete(group);
    } else {
      groups.set(group, waiters);
    }
  };

  const remove = (group: string, waiter: T): void =>
    set(group, groups.get(group)?.filter((other) => other !== waiter) ?? []);

  /** The group to serve next comes first. */
  const inServiceOrder = (): [string, T[]][] => {
    const arrived = [...groups];
    const servedAt = ([group]: [string, T[]]): number => lastServed.get(group) ?? 0;
    return (isNewestFirst ? arrived.toReversed() : arrived).toSorted(
      (a, b) => servedAt(a) - servedAt(b),
    );
  };

  const noteServed = (group: string): void => {
    served += 1;
    lastServed.delete(group);
    lastServed.set(group, served);
    const [oldest] = lastServed.keys();
    if (lastServed.size > maxRemembered && oldest !== undefined) {
      lastServed.delete(oldest);
    }
  };

  const displace = (): T | undefined => {
    const largest = Math.max(...[...groups.values()].map(({ length }) => length));
    const [group, waiters] = inServiceOrder().findLast((entry) => entry[1].length === largest) ?? [
      "",
      [],
    ];
    const displaced = isNewestFirst ? waiters[0] : waiters.at(-1);
    set(group, isNewestFirst ? waiters.slice(1) : waiters.slice(0, -1));
    return displaced;
  };

  return {
    size: () => size,
    remove,
    add: (group, waiter) => {
      set(group, [...(groups.get(group) ?? []), waiter]);
      const displaced = size > maxWaiting ? displace() : undefined;
      const isAccepted = displaced !== waiter;
      return { isAccepted, ...(isAccepted && displaced !== undefined ? { displaced } : {}) };
    },
    next: () => {
      const [first] = inServiceOrder();
      if (first === undefined) {
        return undefined;
      }
      const [group, waiters] = first;
      noteServed(group);
      set(group, isNewestFirst ? waiters.slice(0, -1) : waiters.slice(1));
      return isNewestFirst ? waiters.at(-1) : waiters[0];
    },
  };
}

/** Asynchronous work that runs one step after the other, never concurrently. */
export type RetryOptions = Readonly<{
  /** The first pause. Each following pause is twice as long, up to `maxPauseMs`. */
  minPauseMs: number;
  maxPauseMs: number;
  /** Ends a pause early. Once it has aborted, the next failure is final. */
  signal: AbortSignal;
  /** Called after each failure, with the pause that would follow. True ends the retries. */
  isFinal(error: Error, pauseMs: number): boolean;
}>;

/** Runs the work until it succeeds, or rejects with its final failure. */
export async function retry<T>(
  work: () => Promise<T>,
  { minPauseMs, maxPauseMs, signal, isFinal }: RetryOptions,
): Promise<T> {
  let pauseMs = minPauseMs;
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      const error = toError(thrown);
      if (isFinal(error, pauseMs) || signal.aborted) {
        throw error;
      }
      await sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  }
}

/** Runs the work until the signal aborts, with a pause after each run. */
export async function repeat(
  work: () => Promise<void>,
  pauseMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(pauseMs, signal);
  }
}

/** Like `map`, but each call starts after the previous one has resolved. */
export async function mapInOrder<In, Out>(
  items: Iterable<In>,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  for (const item of items) {
    results.push(await work(item));
  }
  return results;
}

/** Like `mapInOrder`, but one that fails keeps no other from running. Throws at the end then. */
export async function mapEachInOrder<In, Out>(
  items: Iterable<In>,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  const errors: Error[] = [];
  for (const item of items) {
    try {
      results.push(await work(item));
    } catch (thrown) {
      errors.push(toError(thrown));
    }
  }
  const [first] = errors;
  if (first === undefined) {
    return results;
  }
  throw errors.length === 1
    ? first
    : new AggregateError(errors, `${errors.length} errors, the first: ${first.message}`);
}

/** The items in order, in groups of `size`; the last one may be smaller. */
export function inChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
