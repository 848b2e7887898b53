/**
 * Presence across processes: polls the lease rows and emits differences. A crashed process needs no
 * notification, because its leases expire.
 */
import { coalesce } from "../platform/concurrency/async.ts";

/** Entries by id. */
export type PresentEntries<Entry> = ReadonlyMap<string, Entry>;

export type RosterDeps<Entry> = Readonly<{
  /** Enterprise or conversation ids watched by clients of this process. */
  watchedKeys(): readonly number[];
  read(keys: readonly number[]): Promise<ReadonlyMap<number, PresentEntries<Entry>>>;
  onChange(
    key: number,
    change: Readonly<{
      came: readonly Entry[];
      left: readonly Entry[];
      changed: readonly Entry[];
    }>,
  ): Promise<void>;
  /** Equality of two versions of an entry. Default: entries never change. */
  isSame?(before: Entry, now: Entry): boolean;
  nowMs(): number;
  /**
   * After a longer gap between polls (for example a database outage) no entry counts as gone for
   * `graceMs`: other processes could not renew their leases either.
   */
  maxPollGapMs: number;
  graceMs: number;
}>;

export type Roster<Entry> = Readonly<{
  /** Reads all watched keys and emits changes. A key's first poll emits nothing. */
  poll(): Promise<void>;
  /** Reads one key after a wake-up, instead of the hundreds that a process may watch. */
  pollKey(key: number): Promise<void>;
  presentIn(key: number): PresentEntries<Entry>;
}>;

/** Times for leases that are renewed and read every `heartbeatMs`, and expire after `goneMs`. */
export function rosterTimes({
  heartbeatMs,
  goneMs,
}: Readonly<{ heartbeatMs: number; goneMs: number }>) {
  return {
    nowMs: () => performance.now(),
    maxPollGapMs: goneMs - heartbeatMs,
    graceMs: goneMs,
  };
}

export function createRoster<Entry>(deps: RosterDeps<Entry>): Roster<Entry> {
  const known = new Map<number, PresentEntries<Entry>>();
  const nobody: PresentEntries<Entry> = new Map();
  const grace = createGrace(deps);
  const dueKeys = new Set<number>();
  let isAllDue = false;

  const takeDueKeys = (): readonly number[] => {
    const keys = isAllDue ? deps.watchedKeys() : [...dueKeys];
    if (isAllDue) {
      const watched = new Set(keys);
      [...known.keys()].filter((key) => !watched.has(key)).forEach((key) => known.delete(key));
    }
    isAllDue = false;
    dueKeys.clear();
    return keys;
  };

  const emitChanges = async (key: number, present: PresentEntries<Entry>): Promise<void> => {
    const earlier = known.get(key);
    known.set(key, present);
    if (earlier !== undefined) {
      const came = without(present, earlier);
      const left = without(earlier, present);
      const changed = changedIn(earlier, present, deps.isSame);
      if (came.length + left.length + changed.length > 0) {
        await deps.onChange(key, { came, left, changed });
      }
    }
  };

  const run = coalesce(async () => {
    const keys = takeDueKeys();
    const found: ReadonlyMap<number, PresentEntries<Entry>> = keys.length === 0
      ? new Map()
      : await deps.read(keys);
    const isInGrace = grace.recordPoll();
    for (const key of keys) {
      const present = found.get(key) ?? nobody;
      const earlier = known.get(key) ?? nobody;
      await emitChanges(key, isInGrace ? new Map([...earlier, ...present]) : present);
    }
  });

  return {
    poll: () => {
      isAllDue = true;
      return run();
    },
    pollKey: (key) => {
      dueKeys.add(key);
      return run();
    },
    presentIn: (key) => known.get(key) ?? nobody,
  };
}

/** Grace period after a long gap between polls. `recordPoll` returns whether it is active. */
function createGrace({
  nowMs,
  maxPollGapMs,
  graceMs,
}: Pick<RosterDeps<unknown>, "nowMs" | "maxPollGapMs" | "graceMs">) {
  let polledMs = nowMs();
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    recordPoll: (): boolean => {
      const atMs = nowMs();
      if (atMs - polledMs > maxPollGapMs) {
        untilMs = atMs + graceMs;
      }
      polledMs = atMs;
      return atMs < untilMs;
    },
  };
}

function without<Entry>(all: PresentEntries<Entry>, known: PresentEntries<Entry>): Entry[] {
  return [...all].flatMap(([id, entry]) => (known.has(id) ? [] : [entry]));
}

function changedIn<Entry>(
  before: PresentEntries<Entry>,
  now: PresentEntries<Entry>,
  isSame: RosterDeps<Entry>["isSame"],
): Entry[] {
  return [...now].flatMap(([id, entry]) => {
    const earlier = before.get(id);
    return earlier === undefined || (isSame?.(earlier, entry) ?? true) ? [] : [entry];
  });
}
