import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** The sources of the pages, below the project's root. */
const sources = [
  "web",
  "build/publish.ts",
  "src/contracts",
  "docs/runbook.md",
  "package-lock.json",
];

/** A hash of the sources, independent of the machine. */
export async function fingerprintOf(root: string): Promise<string> {
  const files = (await Promise.all(sources.map((source) => filesBelow(join(root, source))))).flat();
  const hash = createHash("sha256");
  for (const file of files.toSorted()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(await readFile(file))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.length === 0
    ? [path]
    : entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
