import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { listCircles, listImports, type Manifest } from "./circles.ts";
import { modulesOf, scripts, views, type View } from "./pages.ts";
import { applications, customerPages, smallPages, type Target } from "./vite.config.ts";

type ScriptSize = Readonly<{
  name: string;
  kilobytes: number;
  maxKilobytes: number;
  /** Number of files before the first API call; undefined for scripts. */
  requests?: number;
}>;

/** Maximum number of initial files of a page. */
const maxRequests = 25;

/**
 * Prints the size of each view and script. True if all are within budget and there is no import
 * cycle.
 */
export async function checkBuild(folder: string): Promise<boolean> {
  const manifests = await readManifests(folder, [applications, ...smallPages]);
  const sizes = await measureScripts(folder, manifests);
  for (const measured of sizes) {
    const { name, kilobytes, maxKilobytes, requests } = measured;
    const size = `${kilobytes.toFixed(1)} KB of script, gzipped (at most ${maxKilobytes})`;
    const files = requests === undefined ? "" : `, ${requests} files (at most ${maxRequests})`;
    process.stdout.write(`${isWithin(measured) ? "✔" : "✘"} ${name}: ${size}${files}\n`);
  }
  const circles = manifests.flatMap(listCircles);
  for (const name of circles) {
    process.stdout.write(
      `✘ ${name} imports itself by way of others: see libraries in vite.config.ts\n`,
    );
  }
  const missing = await findMissingFunctions(folder);
  for (const one of missing) {
    process.stdout.write(`✘ ${one}, which the browsers of customers do not have\n`);
  }
  return sizes.every(isWithin) && circles.length === 0 && missing.length === 0;
}

/**
 * Functions that Safari 15 or Chrome 90 do not have. A build lowers the syntax of its scripts, and adds
 * no functions.
 */
const newFunctions =
  /\.(?:toSorted|toReversed|toSpliced|findLast|findLastIndex)\(|\b(?:Object\.groupBy|Promise\.withResolvers)\(/gu;

/** Their uses in scripts of customers' pages, with the file. */
async function findMissingFunctions(dist: string): Promise<string[]> {
  const manifests = await readManifests(dist, customerPages);
  const files = manifests.flatMap((one) => Object.values(one).map(({ file }) => file));
  const scriptFiles = [...new Set(files)].filter((file) => file.endsWith(".js"));
  const found = scriptFiles.map(async (file) => {
    const uses = (await readFile(join(dist, file), "utf8")).match(newFunctions) ?? [];
    return [...new Set(uses)].map((use) => `${file} uses ${use.slice(0, -1)}`);
  });
  return (await Promise.all(found)).flat();
}

function readManifests(dist: string, targets: readonly Target[]): Promise<Manifest[]> {
  return Promise.all(
    targets.map(
      async ({ manifest }) => JSON.parse(await readFile(join(dist, manifest), "utf8")) as Manifest,
    ),
  );
}

/** The document, `start.js`, the font and the icon. */
const ofEveryPage = 4;

/** The initial size of each view and of each third-party script, in a build. */
async function measureScripts(dist: string, manifests: readonly Manifest[]): Promise<ScriptSize[]> {
  const packed = async (file: string): Promise<number> =>
    gzipSync(await readFile(join(dist, file))).length / 1024;
  const measure = async (view: View): Promise<Pick<ScriptSize, "kilobytes" | "requests">> => {
    const { name } = view;
    const modules = modulesOf(view);
    const missing = modules.find(
      (module) => !manifests.some((known) => Object.hasOwn(known, module)),
    );
    if (missing !== undefined) {
      throw new Error(`The first load of ${name} cannot be measured: ${missing} is no module`);
    }
    const parts = manifests.flatMap((manifest) =>
      modules
        .flatMap((module) => [module, ...listImports(manifest, module)])
        .flatMap((one) => manifest[one] ?? []),
    );
    const scriptsOf = new Set(parts.map(({ file }) => file).filter((file) => file.endsWith(".js")));
    const styles = new Set(parts.flatMap(({ css = [] }) => css));
    const sizes = await Promise.all([...scriptsOf].map(packed));
    return {
      kilobytes: sizes.reduce((sum, size) => sum + size, 0),
      requests: scriptsOf.size + Math.max(styles.size, 1) + ofEveryPage,
    };
  };
  return Promise.all([
    ...views.map(async (view) => ({
      ...{ name: view.name, maxKilobytes: view.maxKilobytes },
      ...(await measure(view)),
    })),
    ...scripts.map(async ({ file: name, maxKilobytes }) => ({
      ...{ name, maxKilobytes },
      kilobytes: await packed(name),
    })),
  ]);
}

function isWithin({ kilobytes, maxKilobytes, requests = 0 }: ScriptSize): boolean {
  return kilobytes <= maxKilobytes && requests <= maxRequests;
}
