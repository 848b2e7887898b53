/**
 * The programs that tests start and kill by the dozen, as the build makes them, with the helper
 * processes of the tests beside them. Coverage is measured in the sources, so it needs none of this.
 */
import { bundlePrograms, listPrograms, root } from "../../build/programs.ts";
import { join } from "node:path";
import { listFiles } from "./files.ts";

const outDir = ".test/bundles";

/** Makes them, and tells where they are, for the environment of the tests. */
export async function bundleTestPrograms(): Promise<Record<string, string>> {
  const helpers = await listFiles(["test/support"]);
  const files = [
    ...Object.values(await listPrograms()),
    ...helpers.filter((file) => file.endsWith("-process.ts")),
  ];
  const entryPoints = files.map((file) => [file.replace(/\.ts$/u, ""), file]);
  await bundlePrograms(Object.fromEntries(entryPoints), join(root, outDir));
  return { TEST_BUNDLES: outDir };
}
