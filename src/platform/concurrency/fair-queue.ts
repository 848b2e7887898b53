/**
 * A bounded waiting line that no single group can fill. Pure.
 *
 * Groups take turns (round robin), whatever each has waiting. Preferred waiters have a line of
 * their own, which gets three turns of four while both lines have somebody, so that neither can
 * starve the other. In a full line a newcomer displaces the newest waiter of the largest group.
 *
 * Newest first, a group's own waiters are served the other way round, and where their group fills
 * the line a newcomer displaces the oldest of them: a flood out of one group hurts itself, and who
 * comes after it is served next.
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

function createGroupQueue<T>(maxWaiting: number, isNewestFirst: boolean): GroupQueue<T> {
  // A map keeps the order of insertion: the group whose turn is next stands first.
  const groups = new Map<string, T[]>();
  let size = 0;

  const set = (group: string, waiters: T[]): void => {
    if (waiters.length === 0) {
      groups.delete(group);
    } else {
      groups.set(group, waiters);
    }
  };

  const displace = (newcomer: string): T | undefined => {
    let largest = isNewestFirst ? newcomer : "";
    let most = (groups.get(newcomer)?.length ?? 0) + 1;
    for (const [group, { length }] of groups) {
      if (length > most) {
        [largest, most] = [group, length];
      }
    }
    const waiters = groups.get(largest) ?? [];
    size -= waiters.length === 0 ? 0 : 1;
    return isNewestFirst ? waiters.shift() : waiters.pop();
  };

  return {
    size: () => size,
    add: (group, waiter) => {
      const displaced = size < maxWaiting ? undefined : displace(group);
      if (size >= maxWaiting) {
        return { isAccepted: false };
      }
      size += 1;
      set(group, [...(groups.get(group) ?? []), waiter]);
      return { isAccepted: true, ...(displaced === undefined ? {} : { displaced }) };
    },
    next: () => {
      const first = groups.entries().next();
      if (first.done === true) {
        return undefined;
      }
      const [group, waiters] = first.value;
      groups.delete(group); // its next turn is after all others'
      set(group, isNewestFirst ? waiters.slice(0, -1) : waiters.slice(1));
      size -= 1;
      return isNewestFirst ? waiters.at(-1) : waiters[0];
    },
    remove: (group, waiter) => {
      const waiters = groups.get(group) ?? [];
      const left = waiters.filter((other) => other !== waiter);
      size -= waiters.length - left.length;
      set(group, left);
    },
  };
}
