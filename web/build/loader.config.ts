/**
 * How the agent loader is built: one file with a fixed name, which pages of customers load, and its
 * styles beside it. It runs beside whatever else these pages have, in the browsers that agents have.
 */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { InlineConfig, Plugin } from "vite";

const loader = fileURLToPath(new URL("../loader", import.meta.url));

export const loaderConfig: InlineConfig = {
  root: loader,
  configFile: false,
  plugins: [copyStyles()],
  build: {
    target: "es2017",
    modulePreload: { polyfill: false },
    copyPublicDir: false,
    emptyOutDir: false,
    rolldownOptions: {
      input: join(loader, "main.ts"),
      output: { format: "iife", entryFileNames: "loaderAgent.js" },
    },
  },
  logLevel: "warn",
};

/** The styles as they are: hosts name them, and may read them to write their own. */
function copyStyles(): Plugin {
  return {
    name: "loader-styles",
    async generateBundle() {
      const folder = join(loader, "styles");
      const files = (await readdir(folder)).filter((file) => file.endsWith(".css"));
      for (const file of files) {
        const source = await readFile(join(folder, file), "utf8");
        this.emitFile({ type: "asset", fileName: `loader/${file}`, source });
      }
    },
  };
}
