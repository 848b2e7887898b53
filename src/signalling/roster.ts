/**
 * Who is connected where, over all processes: read from the rows that each process keeps alive, and
 * compared with what was there at the last look. So it does not matter who told of a change, or
 * whether anybody did: a process that died tells nobody.
 */
import { coalesce } from "../platform/concurrency/mutex.ts";

/** By the id of each who is there. */
export type PresentEntries<Entry> = ReadonlyMap<string, Entry>;

export type RosterDeps<Entry> = Readonly<{
  /** The places that somebody here watches: enterprises, or conversations. */
  watchedKeys(): readonly number[];
  read(places: readonly number[]): Promise<ReadonlyMap<number, PresentEntries<Entry>>>;
  onChange(
    place: number,
    change: Readonly<{ came: readonly Entry[]; left: readonly Entry[] }>,
  ): Promise<void>;
  nowMs(): number;
  /**
   * After this long without a look nobody can tell who left from whose process could not say that
   * they are here: then all stay for another `keepMs`.
   */
  blindMs: number;
  keepMs: number;
}>;

export type Roster<Entry> = Readonly<{
  /** Reads all watched places and tells what changed. A place's first look tells nothing. */
  poll(): Promise<void>;
  presentIn(place: number): PresentEntries<Entry>;
}>;

/** Of a roster whose rows are beaten and read every `beatMs`, and are gone after `goneMs`. */
export function rosterTimes({ beatMs, goneMs }: Readonly<{ beatMs: number; goneMs: number }>) {
  return {
    nowMs: () => performance.now(),
    blindMs: goneMs - beatMs,
    keepMs: goneMs,
  };
}

export function createRoster<Entry>(deps: RosterDeps<Entry>): Roster<Entry> {
  let known: ReadonlyMap<number, PresentEntries<Entry>> = new Map();
  const nobody: PresentEntries<Entry> = new Map();
  let lookedMs = deps.nowMs();
  let keepUntilMs = Number.NEGATIVE_INFINITY;
  const recordPoll = (): void => {
    const nowMs = deps.nowMs();
    if (nowMs - lookedMs > deps.blindMs) {
      keepUntilMs = nowMs + deps.keepMs;
    }
    lookedMs = nowMs;
  };
  return {
    poll: coalesce(async () => {
      const places = deps.watchedKeys();
      const before = known;
      const found: ReadonlyMap<number, PresentEntries<Entry>> = places.length === 0
        ? new Map()
        : await deps.read(places);
      recordPoll();
      const isKept = lookedMs < keepUntilMs;
      const presentAt = (place: number): PresentEntries<Entry> => {
        const present = found.get(place) ?? nobody;
        return isKept ? new Map([...(before.get(place) ?? nobody), ...present]) : present;
      };
      known = new Map(places.map((place) => [place, presentAt(place)]));
      for (const [place, present] of known) {
        const earlier = before.get(place);
        const came = earlier === undefined ? [] : without(present, earlier);
        const left = earlier === undefined ? [] : without(earlier, present);
        if (came.length + left.length > 0) {
          await deps.onChange(place, { came, left });
        }
      }
    }),
    presentIn: (place) => known.get(place) ?? nobody,
  };
}

function without<Entry>(all: PresentEntries<Entry>, known: PresentEntries<Entry>): Entry[] {
  return [...all].flatMap(([id, entry]) => (known.has(id) ? [] : [entry]));
}
