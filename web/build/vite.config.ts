/** How the pages are built: hashed files below `/assets`, nothing inline, nothing from elsewhere. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { InlineConfig } from "vite";
import { pages, type BuiltPage } from "./pages.ts";
import { listFiles, scriptLoading } from "./script-loading.ts";
import { startNotice } from "./start-notice.ts";

type Target = Readonly<{
  manifest: string;
  script: string[];
  /** Where `light-dark()` is unknown, it is written in other words. */
  styles: string[];
  chosen: readonly BuiltPage[];
  /** All styles in one file: pages that are loaded bit by bit need not wait for theirs. */
  hasOneStyle?: boolean;
}>;

const oldBrowsers = ["chrome64", "safari12", "firefox60", "edge79"];

const newBrowsers = {
  script: ["es2022"],
  styles: ["chrome123", "safari17.5", "firefox120"],
};

/** What is made of many small parts, which are put together by what pages need of them. */
export const applications: Target = {
  ...newBrowsers,
  manifest: "manifest.json",
  chosen: pagesOf("application"),
  hasOneStyle: true,
};

/** Small pages that staff open, and those that customers open, which know nothing younger than 2018. */
export const smallPages: readonly Target[] = [
  { ...newBrowsers, manifest: "manifest-small.json", chosen: pagesOf(undefined) },
  {
    manifest: "manifest-old-browsers.json",
    script: ["es2018", ...oldBrowsers],
    styles: oldBrowsers,
    chosen: pagesOf("for-old-browsers"),
  },
  {
    manifest: "manifest-calls.json",
    script: ["es2018", ...oldBrowsers],
    styles: oldBrowsers,
    chosen: pagesOf("call"),
  },
];

const web = fileURLToPath(new URL("..", import.meta.url));

export function configOf(target: Target): InlineConfig {
  return {
    root: web,
    configFile: false,
    plugins: [react(), startNotice(), scriptLoading()],
    // The server puts a fresh nonce where this stands: styles that scripts make carry it.
    html: { cspNonce: "__CSP_NONCE__" },
    css: { postcss: `${web}/build/postcss.config.cjs` },
    build: {
      target: target.script,
      cssTarget: target.styles,
      cssCodeSplit: target.hasOneStyle !== true,
      assetsDir: "assets",
      assetsInlineLimit: 0, // `data:` would need a hole in the Content-Security-Policy
      modulePreload: { polyfill: false, resolveDependencies: listFiles },
      manifest: target.manifest,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY, // `npm run check` bounds what each view loads
      emptyOutDir: false, // each build has a fresh folder, and there are several
      rolldownOptions: {
        input: Object.fromEntries(
          target.chosen.map(({ folder }) => [
            folder.replaceAll("/", "-"),
            `${web}/${folder}/index.html`,
          ]),
        ),
      },
    },
    logLevel: "warn",
  };
}

function pagesOf(kind: BuiltPage["kind"]): readonly BuiltPage[] {
  return pages.filter((page) => page.kind === kind);
}
