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
    change: Readonly<{ came: readonly Entry[]; left: readonly Entry[] }>,
  ): Promise<void>;
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
  let known: ReadonlyMap<number, PresentEntries<Entry>> = new Map();
  const nobody: PresentEntries<Entry> = new Map();
  let polledMs = deps.nowMs();
  let graceUntilMs = Number.NEGATIVE_INFINITY;
  const recordPoll = (): void => {
    const nowMs = deps.nowMs();
    if (nowMs - polledMs > deps.maxPollGapMs) {
      graceUntilMs = nowMs + deps.graceMs;
    }
    polledMs = nowMs;
  };
  return {
    poll: coalesce(async () => {
      const keys = deps.watchedKeys();
      const before = known;
      const found: ReadonlyMap<number, PresentEntries<Entry>> = keys.length === 0
        ? new Map()
        : await deps.read(keys);
      recordPoll();
      const isInGrace = polledMs < graceUntilMs;
      const presentAt = (key: number): PresentEntries<Entry> => {
        const present = found.get(key) ?? nobody;
        return isInGrace ? new Map([...(before.get(key) ?? nobody), ...present]) : present;
      };
      known = new Map(keys.map((key) => [key, presentAt(key)]));
      for (const [key, present] of known) {
        const earlier = before.get(key);
        const came = earlier === undefined ? [] : without(present, earlier);
        const left = earlier === undefined ? [] : without(earlier, present);
        if (came.length + left.length > 0) {
          await deps.onChange(key, { came, left });
        }
      }
    }),
    presentIn: (key) => known.get(key) ?? nobody,
  };
}

function without<Entry>(all: PresentEntries<Entry>, known: PresentEntries<Entry>): Entry[] {
  return [...all].flatMap(([id, entry]) => (known.has(id) ? [] : [entry]));
}
