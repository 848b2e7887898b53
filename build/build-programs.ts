/**
 * `node --import tsx build/build-programs.ts <name> [maps]`, called by `bin/locate-program.js`: builds
 * the programs.
 */
import { join } from "node:path";
import { buildPrograms, root } from "./programs.ts";
import { publishBuild, removeOldBuilds } from "./publish.ts";

const [, , name = "", maps] = process.argv;
const dist = join(root, "dist", "programs");

await publishBuild(dist, name, async (folder) => {
  await buildPrograms(folder, maps === "maps");
});
await removeOldBuilds(dist, name);
