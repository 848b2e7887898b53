/**
 * `npm run build`: builds the pages if their sources changed. `dist/current` names the active build;
 * it is replaced by an atomic rename.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publishBuild, removeOldBuilds } from "../../build/publish.ts";
import { fingerprintOf } from "./fingerprint.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "dist");
const pointer = join(dist, "current");

async function pointTo(name: string): Promise<void> {
  const fresh = `${pointer}.${process.pid}`;
  await writeFile(fresh, `${name}\n`);
  await rename(fresh, pointer);
}

async function main(): Promise<void> {
  const name = await fingerprintOf(root);
  await publishBuild(dist, name, async (folder) => {
    process.stdout.write("Building the pages, once per version: this may take a minute.\n");
    // Imported lazily, because most starts have nothing to build.
    const { buildInto } = await import("./build-into.ts");
    await buildInto(folder);
  });
  if ((await readFile(pointer, "utf8").catch(() => "")).trim() !== name) {
    await pointTo(name);
    await removeOldBuilds(dist, name);
  }
  if (process.argv.includes("--check")) {
    const { checkBuild } = await import("./check.ts");
    process.exitCode = (await checkBuild(join(dist, name))) ? 0 : 1;
  }
}

await main();
