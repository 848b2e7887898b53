import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { scripts, views, type View } from "./pages.ts";
import { targets } from "./vite.config.ts";

type Chunk = Readonly<{ file: string; imports?: readonly string[] }>;
type Manifest = Readonly<Record<string, Chunk>>;

/** The scripts of a module and of all that it imports, without those that come when they are needed. */
const addFiles = (manifest: Manifest, entry: string, files: Set<string>): void => {
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (chunk !== undefined && !files.has(chunk.file)) {
      files.add(chunk.file);
      chunk.imports?.forEach(visit);
    }
  };
  visit(entry);
};

type ScriptSize = Readonly<{ name: string; kilobytes: number; maxKilobytes: number }>;

/** What each view loads at first, and each script for others, of a build in this folder. */
const measureScripts = async (dist: string): Promise<ScriptSize[]> => {
  const read = async (name: string) =>
    JSON.parse(await readFile(join(dist, name), "utf8")) as Manifest;
  const packed = async (file: string): Promise<number> =>
    gzipSync(await readFile(join(dist, file))).length / 1024;
  const manifests = await Promise.all(targets.map(({ manifest }) => read(manifest)));
  const measure = async ({ name, folder, comesToo = [] }: View): Promise<number> => {
    const modules = [`${folder}/index.html`, ...comesToo];
    const missing = modules.find((module) => !manifests.some((one) => Object.hasOwn(one, module)));
    if (missing !== undefined) {
      throw new Error(`The first load of ${name} cannot be measured: ${missing} is no module`);
    }
    const files = new Set<string>();
    for (const manifest of manifests) {
      modules.forEach((module) => addFiles(manifest, module, files));
    }
    const scriptsOf = [...files].filter((file) => file.endsWith(".js"));
    const sizes = await Promise.all(scriptsOf.map(packed));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  return Promise.all([
    ...views.map(async (view) => ({
      ...{ name: view.name, maxKilobytes: view.maxKilobytes },
      kilobytes: await measure(view),
    })),
    ...scripts.map(async ({ file: name, maxKilobytes }) => ({
      ...{ name, maxKilobytes },
      kilobytes: await packed(name),
    })),
  ]);
};

/** Says what each page and script weighs. True where none is above its budget. */
export const checkBudgets = async (folder: string): Promise<boolean> => {
  const sizes = await measureScripts(folder);
  for (const { name, kilobytes, maxKilobytes } of sizes) {
    const mark = kilobytes <= maxKilobytes ? "✔" : "✘";
    const size = `${kilobytes.toFixed(1)} KB of script, gzipped (at most ${maxKilobytes})`;
    process.stdout.write(`${mark} ${name}: ${size}\n`);
  }
  return sizes.every(({ kilobytes, maxKilobytes }) => kilobytes <= maxKilobytes);
};
