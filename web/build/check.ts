import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { listCircles, listImports, type Manifest } from "./circles.ts";
import { scripts, views, type View } from "./pages.ts";
import { targets } from "./vite.config.ts";

type ScriptSize = Readonly<{ name: string; kilobytes: number; maxKilobytes: number }>;

const readManifests = (dist: string): Promise<Manifest[]> =>
  Promise.all(
    targets.map(
      async ({ manifest }) => JSON.parse(await readFile(join(dist, manifest), "utf8")) as Manifest,
    ),
  );

/** What each view loads at first, and each script for others, of a build in this folder. */
const measureScripts = async (
  dist: string,
  manifests: readonly Manifest[],
): Promise<ScriptSize[]> => {
  const packed = async (file: string): Promise<number> =>
    gzipSync(await readFile(join(dist, file))).length / 1024;
  const measure = async ({ name, folder, comesToo = [] }: View): Promise<number> => {
    const modules = [`${folder}/index.html`, ...comesToo];
    const missing = modules.find(
      (module) => !manifests.some((known) => Object.hasOwn(known, module)),
    );
    if (missing !== undefined) {
      throw new Error(`The first load of ${name} cannot be measured: ${missing} is no module`);
    }
    const files = manifests.flatMap((manifest) =>
      modules
        .flatMap((module) => [module, ...listImports(manifest, module)])
        .flatMap((one) => manifest[one]?.file ?? []),
    );
    const scriptsOf = new Set(files.filter((file) => file.endsWith(".js")));
    const sizes = await Promise.all([...scriptsOf].map(packed));
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

/** Says what each view and script weighs. True where none is above its budget, and all can start. */
export const checkBuild = async (folder: string): Promise<boolean> => {
  const manifests = await readManifests(folder);
  const sizes = await measureScripts(folder, manifests);
  for (const { name, kilobytes, maxKilobytes } of sizes) {
    const mark = kilobytes <= maxKilobytes ? "✔" : "✘";
    const size = `${kilobytes.toFixed(1)} KB of script, gzipped (at most ${maxKilobytes})`;
    process.stdout.write(`${mark} ${name}: ${size}\n`);
  }
  const circles = manifests.flatMap(listCircles);
  for (const name of circles) {
    process.stdout.write(
      `✘ ${name} imports itself by way of others: see libraries in vite.config.ts\n`,
    );
  }
  const isLight = sizes.every(({ kilobytes, maxKilobytes }) => kilobytes <= maxKilobytes);
  return isLight && circles.length === 0;
};
