import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const helper = "\0vite/preload-helper.js";
const ours = fileURLToPath(new URL("../base/load-files.ts", import.meta.url));

/** Replaces the bundler's preload helper with ours, which can retry. */
export function scriptLoading(): Plugin {
  return {
    name: "script-loading",
    enforce: "pre",
    load: {
      filter: { id: new RegExp(`^${helper}$`, "u") },
      handler: () => `export { importWithFiles as __vitePreload } from ${JSON.stringify(ours)};`,
    },
  };
}

/** The files of a script: its imports with itself, or only the script if it has no imports. */
export function listFiles(script: string, imported: readonly string[]): string[] {
  return imported.length === 0 ? [script] : [...imported];
}
