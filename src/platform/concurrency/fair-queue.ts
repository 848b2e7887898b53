/**
 * A bounded waiting line that no single group can fill. Pure.
 *
 * The least recently served group is next, whatever each has waiting: one that had no turn yet comes
 * before all others. Turns are remembered after a group has left, so that it cannot come back as a
 * new one. Preferred waiters have a line of their own, which gets three turns of four while both
 * lines have somebody, so that neither can starve the other. Where a line is full, the waiter who
 * would be served last leaves the largest group; that may be the newcomer.
 *
 * Newest first, both among new groups and within a group: who comes after a flood is served next,
 * and a flood out of one group displaces its own oldest.
 */

export type Requester = Readonly<{
  /** Who shares a turn: a client's network, or an enterprise. */
  group: string;
  isPreferred: boolean;
}>;

export type QueueAdmission<T> = Readonly<{
  isAccepted: boolean;
  /** Who had to leave for it. */
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

/** `maxWaiting`: of each of the two lines. */
export function createFairQueue<T extends object>(
  maxWaiting: number,
  { isNewestFirst = false }: Readonly<{ isNewestFirst?: boolean }> = {},
): FairQueue<T> {
  const preferred = createGroupQueue<T>(maxWaiting, isNewestFirst);
  const others = createGroupQueue<T>(maxWaiting, isNewestFirst);
  const lineOf = ({ isPreferred }: Requester): GroupQueue<T> => (isPreferred ? preferred : others);
  let inARow = 0;
  return {
    size: () => preferred.size() + others.size(),
    add: (requester, waiter) => lineOf(requester).add(requester.group, waiter),
    remove: (requester, waiter) => lineOf(requester).remove(requester.group, waiter),
    next: () => {
      const isOthersTurn = inARow >= preferredInARow && others.size() > 0;
      if (preferred.size() > 0 && !isOthersTurn) {
        inARow += 1;
        return preferred.next();
      }
      inARow = 0;
      return others.next();
    },
  };
}

/** Of groups that left: as many as have a turn in a quarter of an hour at ten a minute, and more. */
const maxRemembered = 200;

function createGroupQueue<T>(maxWaiting: number, isNewestFirst: boolean): GroupQueue<T> {
  const groups = new Map<string, T[]>();
  const lastTurns = new Map<string, number>();
  let turns = 0;
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

  /** Whose turn is next stands first. */
  const inOrder = (): [string, T[]][] => {
    const arrived = [...groups];
    const turnOf = ([group]: [string, T[]]): number => lastTurns.get(group) ?? 0;
    return (isNewestFirst ? arrived.toReversed() : arrived).toSorted(
      (a, b) => turnOf(a) - turnOf(b),
    );
  };

  const noteTurn = (group: string): void => {
    turns += 1;
    lastTurns.delete(group);
    lastTurns.set(group, turns);
    const [oldest] = lastTurns.keys();
    if (lastTurns.size > maxRemembered && oldest !== undefined) {
      lastTurns.delete(oldest);
    }
  };

  const displace = (): T | undefined => {
    const most = Math.max(...[...groups.values()].map(({ length }) => length));
    const [group, waiters] = inOrder().findLast((entry) => entry[1].length === most) ?? ["", []];
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
      const [first] = inOrder();
      if (first === undefined) {
        return undefined;
      }
      const [group, waiters] = first;
      noteTurn(group);
      set(group, isNewestFirst ? waiters.slice(0, -1) : waiters.slice(1));
      return isNewestFirst ? waiters.at(-1) : waiters[0];
    },
  };
}
