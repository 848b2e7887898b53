/**
 * In: the passing of time. Out: files gone that a process began and never ended.
 * Guarantee: what somebody may still be at work with is left alone: nothing takes a day.
 * On crash: the next pass does the same.
 */
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export type LeftoverPlaces = Readonly<{
  /** The folder of blobs, where they are on disk. */
  blobDir: string | undefined;
  temporaryDir: string;
}>;

const keptMs = 86_400_000;

/** What this program puts into the folder for temporary files: uploads, recordings, pictures. */
const ours = /^sightline-(?:upload|recording|ocr)-/u;

/** Removes what is older than a day, by the clock of the files. Out: how many. */
export async function removeLeftovers(
  { blobDir, temporaryDir }: LeftoverPlaces,
  now: Date,
): Promise<number> {
  const before = now.getTime() - keptMs;
  const incoming = blobDir === undefined ? undefined : join(blobDir, "incoming");
  const unfinished = incoming === undefined ? [] : await namesIn(incoming);
  const temporary = (await namesIn(temporaryDir)).filter((name) => ours.test(name));
  const paths = [
    ...unfinished.map((name) => join(incoming ?? "", name)),
    ...temporary.map((name) => join(temporaryDir, name)),
  ];
  let removed = 0;
  for (const path of paths) {
    removed += Number(await removeOld(path, before));
  }
  return removed;
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch {
    return []; // nothing was ever put there, or it is not ours to look at
  }
}

/** Somebody else may remove it meanwhile, or own it: both are no reason to stop. */
async function removeOld(path: string, before: number): Promise<boolean> {
  try {
    const { mtimeMs } = await lstat(path);
    if (mtimeMs >= before) {
      return false;
    }
    await rm(path, { recursive: true });
    return true;
  } catch {
    return false;
  }
}
