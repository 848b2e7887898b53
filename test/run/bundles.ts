/**
 * The programs that tests start and kill in large numbers, bundled like a release, and the helper
 * processes of the tests. Not used by coverage runs, because coverage is measured in the sources.
 */
import { bundleModules, listPrograms, root } from "../../build/programs.ts";
import { join } from "node:path";
import { listFiles } from "./files.ts";

const outDir = ".test/bundles";

/** Bundles the programs. Returns their location, as environment variables for the tests. */
export async function bundleTestPrograms(): Promise<Record<string, string>> {
  const helpers = await listFiles(["test/support"]);
  const files = [
    ...Object.values(await listPrograms()),
    ...helpers.filter((file) => file.endsWith("-process.ts")),
  ];
  const entryPoints = files.map((file) => [file.replace(/\.ts$/u, ""), file]);
  await bundleModules(Object.fromEntries(entryPoints), join(root, outDir));
  return { TEST_BUNDLES: outDir };
}
