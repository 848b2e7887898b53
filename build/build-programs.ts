/**
 * `node --import tsx build/build-programs.ts <name>`, called by `bin/locate-program.js`: builds the
 * programs.
 */
import { join } from "node:path";
import { buildPrograms, root } from "./programs.ts";
import { publishBuild, removeOldBuilds } from "./publish.ts";

const [, , name = ""] = process.argv;
const dist = join(root, "dist", "programs");

await publishBuild(dist, name, async (folder) => {
  await buildPrograms(folder);
});
await removeOldBuilds(dist, name);
