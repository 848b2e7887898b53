import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pages, scripts } from "./pages.ts";
import { targets } from "./vite.config.ts";

type Chunk = Readonly<{ file: string; imports?: readonly string[] }>;
type Manifest = Readonly<Record<string, Chunk>>;

/** The scripts that a page asks for by itself, without those that come when they are needed. */
const firstFiles = (manifest: Manifest, entry: string): Set<string> => {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (chunk !== undefined && !files.has(chunk.file)) {
      files.add(chunk.file);
      chunk.imports?.forEach(visit);
    }
  };
  visit(entry);
  return files;
};

type ScriptSize = Readonly<{ name: string; kilobytes: number; maxKilobytes: number }>;

/** What each page loads at first, and each script for others, of a build in this folder. */
const measureScripts = async (dist: string): Promise<ScriptSize[]> => {
  const read = async (name: string) =>
    JSON.parse(await readFile(join(dist, name), "utf8")) as Manifest;
  const packed = async (file: string): Promise<number> =>
    gzipSync(await readFile(join(dist, file))).length / 1024;
  const manifests = await Promise.all(targets.map(({ manifest }) => read(manifest)));
  const measure = async (folder: string): Promise<number> => {
    const files = manifests.flatMap((manifest) => [
      ...firstFiles(manifest, `${folder}/index.html`),
    ]);
    const sizes = await Promise.all(files.filter((file) => file.endsWith(".js")).map(packed));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  return Promise.all([
    ...pages.map(async ({ folder: name, maxKilobytes }) => ({
      ...{ name, maxKilobytes },
      kilobytes: await measure(name),
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
