import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const helper = "\0vite/preload-helper.js";
const ours = fileURLToPath(new URL("../base/load-files.ts", import.meta.url));

/** Instead of the bundler's own way to load what a script needs: ours can be tried again. */
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

/** Every script with all that it imports; alone where it imports nothing. */
export function listFiles(script: string, imported: readonly string[]): string[] {
  return imported.length === 0 ? [script] : [...imported];
}
