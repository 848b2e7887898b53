/** How the pages are built: hashed files below `/assets`, nothing inline, nothing from elsewhere. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { InlineConfig } from "vite";
import { pages } from "./pages.ts";

const web = fileURLToPath(new URL("..", import.meta.url));

export const pagesConfig: InlineConfig = {
  root: web,
  configFile: false,
  plugins: [react()],
  // The server puts a fresh nonce where this stands: styles that scripts make carry it.
  html: { cspNonce: "__CSP_NONCE__" },
  css: { postcss: `${web}/build/postcss.config.cjs` },
  build: {
    target: "es2022",
    assetsDir: "assets",
    assetsInlineLimit: 0, // `data:` would need a hole in the Content-Security-Policy
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    emptyOutDir: true,
    rolldownOptions: {
      input: Object.fromEntries(pages.map(({ folder }) => [folder, `${web}/${folder}/index.html`])),
    },
  },
  logLevel: "warn",
};
