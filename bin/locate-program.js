/**
 * Locates the built programs. Plain JavaScript, because it runs before anything is built. Their
 * folder is named after a fingerprint of the sources, so that a program never runs from a stale
 * build.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Paths below the root from which programs are built. */
export const sources = ["build", "migrations", "package-lock.json", "src", "web/build", "workers"];

/**
 * npm writes it with every change of the installed packages. package-lock.json alone would name a
 * build from the packages of the old version like the one from those of the new version.
 */
const installed = "node_modules/.package-lock.json";

/**
 * Returns the file of a program. Builds it if its sources have changed, and throws if the build fails.
 * @param {string} name
 */
export function locateProgram(name) {
  const build = fingerprint();
  const folder = join(root, "dist", "programs", build);
  if (!existsSync(folder)) {
    buildPrograms(build);
  }
  const programs = listPrograms(folder);
  const file = programs.get(name);
  if (file === undefined) {
    throw new Error(`Unknown program ${name}. Programs: ${[...programs.keys()].join(", ")}`);
  }
  return file;
}

/** @returns {Map<string, string>} */
function listPrograms(folder) {
  const files = readdirSync(folder).toSorted();
  return new Map(
    files.flatMap((file) => {
      const name = /^([^.]+)\.c?js$/u.exec(file)?.[1];
      return name === undefined ? [] : [[name, join(folder, file)]];
    }),
  );
}

/**
 * Based on size and mtime of each file: reading all files would take longer than many programs need
 * to start.
 */
function fingerprint() {
  const hash = createHash("sha256").update(process.version);
  const files = sources.flatMap((source) => filesBelow(join(root, source)));
  for (const file of [...files, join(root, installed)]) {
    const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** @returns {string[]} */
function filesBelow(path) {
  if (!statSync(path).isDirectory()) {
    return [path];
  }
  const entries = readdirSync(path, { withFileTypes: true });
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const below = join(path, entry.name);
      return entry.isDirectory() ? filesBelow(below) : [below];
    });
}

/** In a separate process, so that the program does not keep the compiler in memory. */
function buildPrograms(build) {
  process.stderr.write("Building the programs, once per version: this takes some seconds.\n");
  const args = ["--import", "tsx", "build/build-programs.ts", build];
  const { status, stderr, error } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) {
    throw new Error(`The programs could not be built:\n${stderr || error?.message}`);
  }
}
