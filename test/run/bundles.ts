/**
 * The programs that tests start and kill by the dozen, each as one file of JavaScript: loading
 * hundreds of modules costs more processor time than most of them ever use. Where a module asks
 * where it lies it is told its place in the sources. Coverage is taken of the sources only.
 */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { listFiles } from "./files.ts";

const outDir = ".test/bundles";

const keepPlaces: Plugin = {
  name: "keep places",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/, namespace: "file" }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const place = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll("import.meta.url", place), loader: "ts" };
    });
  },
};

const programs = async (): Promise<string[]> => {
  const helpers = await listFiles(["test/support"]);
  return [
    ...["src/server.ts", "src/start.ts", "src/migrate.ts"],
    ...(await listFiles(["workers"])),
    ...helpers.filter((file) => file.endsWith("-process.ts")),
  ];
};

/** Makes them, and tells where they are, for the environment of the tests. */
export const bundlePrograms = async (): Promise<Record<string, string>> => {
  await build({
    entryPoints: await programs(),
    outbase: ".",
    outdir: outDir,
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [keepPlaces],
    logLevel: "error",
  });
  return { TEST_BUNDLES: outDir };
};
