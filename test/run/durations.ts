/**
 * The duration of each test file. Every run measures it; `durations.json` contains the slow ones,
 * so that a fresh clone also starts them first. WRITE_DURATIONS=1 rewrites it.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const committedFile = join(import.meta.dirname, "durations.json");

/** Faster files are not recorded. */
const leastSeconds = 3;

export type Duration = { file: string; seconds: number };

function byDuration(a: Duration, b: Duration): number {
  return b.seconds - a.seconds;
}

export async function readDurations(): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(committedFile, "utf8").catch(() => "{}");
  return new Map(Object.entries(JSON.parse(text) as Record<string, number>));
}

/** Reads the lines that test/support/hooks.ts appends: one for each top-level `describe`. */
export async function readMeasured(file: string): Promise<Duration[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const seconds = new Map<string, number>();
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const measured = JSON.parse(line) as { file: string; ms: number };
    seconds.set(measured.file, (seconds.get(measured.file) ?? 0) + measured.ms / 1_000);
  }
  return [...seconds].map(([name, sum]) => ({ file: name, seconds: sum })).toSorted(byDuration);
}

/** Writes `durations.json` sorted by name, to keep its diffs small. */
export async function writeDurations(measured: readonly Duration[]): Promise<void> {
  const slow = measured
    .filter(({ seconds }) => seconds >= leastSeconds)
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ file, seconds }) => [file, Math.round(seconds)]);
  await writeFile(committedFile, `${JSON.stringify(Object.fromEntries(slow), undefined, 2)}\n`);
}
