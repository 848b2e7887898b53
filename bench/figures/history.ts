/** `bench/history.json`: the headline figures of recorded runs, oldest first. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Part } from "../plan.ts";
import type { Results } from "../results.ts";
import type { Yardstick } from "../scenarios/bare-loop.ts";
import type { Machine } from "../support/machine.ts";
import { mapValues } from "../support/statistics.ts";
import { readFigures } from "./catalogue.ts";

export type RecordedPart = {
  /** Only equal loads are compared (see `loadOf`). */
  load: string;
  seconds: number;
  bareLoop: Yardstick;
  figures: Record<string, number>;
};

export type Entry = {
  date: string;
  commit: string;
  command: string;
  machine: Machine;
  parts: Partial<Record<Part, RecordedPart>>;
};

export type History = { entries: Entry[] };

const historyFile = fileURLToPath(new URL("../history.json", import.meta.url));

export async function readHistory(file: string = historyFile): Promise<History> {
  return JSON.parse(await readFile(file, "utf8")) as History;
}

/** Four digits: more would be noise, and a diff must stay readable. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function roundedLoop({ perSecond, cpuUsPerPost, postMs }: Yardstick): Yardstick {
  return {
    perSecond: rounded(perSecond),
    cpuUsPerPost: rounded(cpuUsPerPost),
    postMs: rounded(postMs),
  };
}

/** The history entry of a run. */
export function entryOf({ startedAt, commit, command, machine, parts, measured }: Results): Entry {
  const kept = parts.map(({ part, load, seconds, bareLoop }) => [
    part,
    {
      ...{ load, seconds: Math.round(seconds), bareLoop: roundedLoop(bareLoop) },
      figures: mapValues(readFigures(part, measured), rounded),
    } satisfies RecordedPart,
  ]);
  return {
    ...{ date: startedAt, commit, command },
    machine: { ...machine, loadBefore: rounded(machine.loadBefore) },
    parts: Object.fromEntries(kept) as Entry["parts"],
  };
}

/** Appends the entry to the file. */
export async function record(entry: Entry, file: string = historyFile): Promise<void> {
  const { entries } = await readHistory(file);
  const history: History = { entries: [...entries, entry] };
  await writeFile(file, `${JSON.stringify(history, null, 2)}\n`);
}

/**
 * Whether figures of two machines can be compared. Node and Postgres versions may differ, because a
 * run may measure exactly that difference.
 */
function isComparable(one: Machine, other: Machine): boolean {
  return one.cpu === other.cpu && one.cores === other.cores && one.memoryGb === other.memoryGb;
}

export type RecordedFigures = RecordedPart & Pick<Entry, "date" | "commit">;

/** All recordings of this part with the same load on a comparable machine, oldest first. */
export function recordingsOf(
  { entries }: History,
  { machine, part, load }: { machine: Machine; part: Part; load: string },
): RecordedFigures[] {
  return entries.flatMap(({ machine: other, parts, date, commit }) => {
    const recorded = parts[part];
    return recorded?.load === load && isComparable(machine, other)
      ? [{ ...recorded, date, commit }]
      : [];
  });
}
