import { build } from "vite";
import { loaderConfig } from "./loader.config.ts";
import { packFiles } from "./pack.ts";
import { pagesConfigs } from "./vite.config.ts";

/** Builds every page and script into a folder, with a packed file beside each that gains by it. */
export const buildInto = async (folder: string): Promise<void> => {
  for (const config of [...pagesConfigs, loaderConfig]) {
    await build({ ...config, build: { ...config.build, outDir: folder } });
  }
  await packFiles(folder);
};
