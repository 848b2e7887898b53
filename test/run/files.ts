import { readdir } from "node:fs/promises";
import { join } from "node:path";

async function listFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** All files below the folders, sorted; a missing folder counts as empty. */
export async function listFiles(folders: readonly string[]): Promise<string[]> {
  return (await Promise.all(folders.map(listFolder))).flat().toSorted();
}
