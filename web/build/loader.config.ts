/**
 * Builds the agent loader: one file with a fixed name, with style sheets beside it, for third-party
 * pages and old browsers.
 */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { InlineConfig, Plugin } from "vite";

const loader = fileURLToPath(new URL("../loader", import.meta.url));

export const loaderConfig: InlineConfig = {
  root: loader,
  configFile: false,
  plugins: [copyStyles(), webSocketOnly()],
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

/** Copies the styles unprocessed: hosts reference them and may adapt them. */
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

/** Signalling uses no other transport: without the others, the script is 1.3 KB smaller, gzipped. */
function webSocketOnly(): Plugin {
  return {
    name: "loader-web-socket-only",
    enforce: "pre",
    load: (id) =>
      id.endsWith("/engine.io-client/build/esm/transports/index.js")
        ? 'import { WS } from "./websocket.js";\nexport const transports = { websocket: WS };'
        : undefined,
  };
}
