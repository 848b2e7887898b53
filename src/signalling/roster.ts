/**
 * Presence over all processes: polls the heartbeat rows and emits differences. A process that died
 * needs to notify nobody: its rows expire.
 */
import { coalesce } from "../platform/concurrency/async.ts";

/** By id. */
export type PresentEntries<Entry> = ReadonlyMap<string, Entry>;

export type RosterDeps<Entry> = Readonly<{
  /** Ids of the enterprises, or of the conversations, that a client of this process watches. */
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
  /** Whether an entry still says the same. Without it, entries never change. */
  isSame?(before: Entry, now: Entry): boolean;
  nowMs(): number;
  /**
   * After a longer gap between polls nobody counts as gone for `graceMs`: their process could not
   * refresh its rows either.
   */
  maxPollGapMs: number;
  graceMs: number;
}>;

export type Roster<Entry> = Readonly<{
  /** Reads all watched keys and emits changes. A key's first poll emits nothing. */
  poll(): Promise<void>;
  /** Reads one key, whose entries may have changed: a process holds hundreds of others. */
  pollKey(key: number): Promise<void>;
  presentIn(key: number): PresentEntries<Entry>;
}>;

/** For rows that are refreshed and read every `heartbeatMs`, and expire after `goneMs`. */
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

/** Out: whether nobody counts as gone at this poll. */
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
