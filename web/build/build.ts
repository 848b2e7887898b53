/**
 * `npm run build`: builds the pages if their sources changed. Each build has its own folder and is
 * activated by an atomic rename, so that a crash leaves the previous build active. Previous builds
 * stay for a while, for pages that are open.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fingerprintOf } from "./fingerprint.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "dist");
const pointer = join(dist, "current");
const keptBuilds = 4;

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function pointTo(name: string): Promise<void> {
  const fresh = `${pointer}.${process.pid}`;
  await writeFile(fresh, `${name}\n`);
  await rename(fresh, pointer);
}

/** Longer than any build: older temporary folders are leftovers of a crash. */
const longestBuildMs = 3_600_000;

async function removeOld(current: string): Promise<void> {
  const dated = await Promise.all(
    (await readdir(dist)).map(async (name) => ({
      name,
      at: (await stat(join(dist, name))).mtimeMs,
    })),
  );
  const old = dated
    .filter(({ name }) => name !== current && /^[0-9a-f]{16}$/u.test(name))
    .toSorted((a, b) => b.at - a.at)
    .slice(keptBuilds - 1);
  const left = dated.filter(
    ({ name, at }) => name.startsWith("building-") && at < Date.now() - longestBuildMs,
  );
  await Promise.all(
    [...old, ...left].map(({ name }) => rm(join(dist, name), { recursive: true, force: true })),
  );
}

async function main(): Promise<void> {
  const name = await fingerprintOf(root);
  const folder = join(dist, name);
  if (!(await isThere(folder))) {
    await mkdir(dist, { recursive: true });
    const fresh = await mkdtemp(join(dist, "building-"));
    try {
      // Imported lazily, because most starts have nothing to build.
      const { buildInto } = await import("./build-into.ts");
      await buildInto(fresh);
      await rename(fresh, folder).catch(async (thrown: unknown) => {
        if (!(await isThere(folder))) {
          throw thrown; // otherwise another process has made the same build
        }
      });
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }
  if ((await readFile(pointer, "utf8").catch(() => "")).trim() !== name) {
    await pointTo(name);
    await removeOld(name);
  }
  if (process.argv.includes("--check")) {
    const { checkBuild } = await import("./check.ts");
    process.exitCode = (await checkBuild(folder)) ? 0 : 1;
  }
}

await main();
