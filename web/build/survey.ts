/** Builds once without writing anything, to learn what pages share and how much it weighs. */
import { gzipSync } from "node:zlib";
import { build, type InlineConfig, type Rolldown } from "vite";
import type { Manifest } from "./circles.ts";
import { groupAtoms, type Atom } from "./grouping.ts";
import { modulesOf, type View } from "./pages.ts";

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** What is packed together takes this much less than what is guessed. */
const guessed = 1.06;

/** With the entry of the page, its own script and its texts. */
const maxFiles = 9;

/** Modules that come in one file, for the pages of one build. */
export async function surveyGroups(
  config: InlineConfig,
  views: readonly View[],
): Promise<string[][]> {
  const outputs = await buildForSurvey(config);
  const manifest = manifestIn(outputs, String(config.build?.manifest));
  const chunks = new Map(outputs.filter(isChunk).map((chunk) => [chunk.fileName, chunk]));
  const files = [...chunks.keys()];
  const needed = views.map((view) =>
    closureOf(
      chunks,
      modulesOf(view).flatMap((module) => manifest[module]?.file ?? []),
    ),
  );
  const atoms = [...chunks.values()].map((chunk): Atom => ({
    modules: Object.keys(chunk.modules),
    bytes: bytesOf(chunk),
    imports: chunk.imports.map((file) => files.indexOf(file)).filter((index) => index >= 0),
    pages: needed.flatMap((all, page) => (all.has(chunk.fileName) ? [page] : [])),
    isEntry: chunk.isEntry || chunk.isDynamicEntry,
  }));
  const maxBytes = views.map(({ maxKilobytes }) => maxKilobytes * 1024 * guessed);
  return groupAtoms(atoms, { maxFiles, maxBytes });
}

/** Nothing is kept of it: what costs time is left out. */
async function buildForSurvey(config: InlineConfig): Promise<readonly Output[]> {
  const options = config.build?.rolldownOptions;
  const built = await build({
    ...config,
    build: {
      ...config.build,
      ...{ write: false, cssMinify: false, reportCompressedSize: false },
      // Nothing is put together for reasons of the bundler: an atom is what the same pages need.
      rolldownOptions: { ...options, output: {}, experimental: { chunkOptimization: false } },
    },
  });
  if (!("output" in built)) {
    throw new Error("A survey has one output");
  }
  return built.output;
}

function manifestIn(outputs: readonly Output[], name: string): Manifest {
  const asset = outputs.find(({ fileName }) => fileName === name);
  if (asset?.type !== "asset") {
    throw new Error(`The survey has no ${name}`);
  }
  return JSON.parse(String(asset.source)) as Manifest;
}

function isChunk(output: Output): output is Rolldown.OutputChunk {
  return output.type === "chunk";
}

/** All files that these begin with, with those that they import. */
function closureOf(chunks: ReadonlyMap<string, Rolldown.OutputChunk>, files: readonly string[]) {
  const found = new Set<string>();
  const left = [...files];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    const chunk = chunks.get(file);
    if (chunk !== undefined && !found.has(file)) {
      found.add(file);
      left.push(...chunk.imports);
    }
  }
  return found;
}

/** What packing a small file by itself costs, and what it says of its imports: gone once it is in another. */
const overhead = 190;

function bytesOf({ code }: Rolldown.OutputChunk): number {
  return Math.max(30, gzipSync(code).length - overhead);
}
