/**
 * The programs that tests start and kill in large numbers, built like a release, and the helper
 * processes of the tests, bundled. Not used by coverage runs, because coverage is measured in the
 * sources.
 */
import { join } from "node:path";
import { locateProgram } from "../../bin/locate-program.js";
import { bundleModules, listPrograms, root } from "../../build/programs.ts";
import { listFiles } from "./files.ts";

const outDir = ".test/bundles";

/** Builds the programs and the helpers. Returns where they are, as environment variables for the tests. */
export async function buildTestPrograms(): Promise<Record<string, string>> {
  const helpers = (await listFiles(["test/support"])).filter((it) => it.endsWith("-process.ts"));
  const entryPoints = helpers.map((file) => [file.replace(/\.ts$/u, ""), file]);
  await bundleModules(Object.fromEntries(entryPoints), join(root, outDir));
  locateProgram("web");
  const names = Object.entries(await listPrograms()).map(([name, file]) => [file, name]);
  return { TEST_BUNDLES: outDir, TEST_PROGRAMS: JSON.stringify(Object.fromEntries(names)) };
}
