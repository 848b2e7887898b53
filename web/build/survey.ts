/** A dry build, to find out which modules pages share and their sizes. */
import { gzipSync } from "node:zlib";
import { build, type InlineConfig, type Rolldown } from "vite";
import type { Manifest } from "./circles.ts";
import { groupAtoms, type Atom } from "./grouping.ts";
import { modulesOf, type View } from "./pages.ts";

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** Ratio of the estimated to the real compressed size. */
const guessed = { console: 1.0575, others: 1.045 };

/** Target number of files, with the page's entry, script and texts. */
const maxFiles = 9;

/** Modules of each chunk, for the pages of one build. */
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
  const maxBytes = views.map(
    ({ folder, maxKilobytes }) =>
      maxKilobytes * 1024 * guessed[folder === "console" ? "console" : "others"],
  );
  return groupAtoms(atoms, { maxFiles, maxBytes });
}

/** Skips the slow steps, because the output is discarded. */
async function buildForSurvey(config: InlineConfig): Promise<readonly Output[]> {
  const options = config.build?.rolldownOptions;
  const built = await build({
    ...config,
    build: {
      ...config.build,
      ...{ write: false, cssMinify: false, reportCompressedSize: false },
      // No chunk optimization, so that each chunk is an atom.
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

/** All files with their direct and transitive imports. */
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

/** Bytes that a separate file costs: compression and import statements. */
const overhead = 190;

function bytesOf({ code }: Rolldown.OutputChunk): number {
  return Math.max(30, gzipSync(code).length - overhead);
}
