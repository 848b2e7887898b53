import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const helper = "\0vite/preload-helper.js";
const ours = fileURLToPath(new URL("../base/load-files.ts", import.meta.url));

/** Instead of the bundler's own way to load what a script needs: ours can be tried again. */
export const scriptLoading = (): Plugin => ({
  name: "script-loading",
  enforce: "pre",
  load: {
    filter: { id: new RegExp(`^${helper}$`, "u") },
    handler: () => `export { importWithFiles as __vitePreload } from ${JSON.stringify(ours)};`,
  },
});

/** Every script with all that it imports; alone where it imports nothing. */
export const listFiles = (script: string, imported: readonly string[]): string[] =>
  imported.length === 0 ? [script] : [...imported];
