/** Build configuration: hashed files below `/assets`, nothing inline, no third-party resources. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { InlineConfig } from "vite";
import { pages, type BuiltPage } from "./pages.ts";
import { listFiles, scriptLoading } from "./script-loading.ts";
import { startNotice } from "./start-notice.ts";

export type Target = Readonly<{
  manifest: string;
  script: string[];
  /** Targets of the CSS; `light-dark()` is transpiled for older browsers. */
  styles: string[];
  chosen: readonly BuiltPage[];
  /** Puts all styles into one file, so that lazy chunks do not wait for theirs. */
  hasOneStyle?: boolean;
}>;

const oldBrowsers = ["chrome64", "safari12", "firefox60", "edge79"];

const newBrowsers = {
  script: ["es2022"],
  styles: ["chrome123", "safari17.5", "firefox120"],
};

/** Applications of many modules, whose chunks are merged per page. */
export const applications: Target = {
  ...newBrowsers,
  manifest: "manifest.json",
  chosen: pagesOf("application"),
  hasOneStyle: true,
};

/** Small staff pages, and customer pages for browsers from 2018 on. */
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

/** The builds of which customers' and guests' browsers load scripts. */
export const customerPages: readonly Target[] = smallPages.filter(
  ({ styles }) => styles === oldBrowsers,
);

const web = fileURLToPath(new URL("..", import.meta.url));

export function configOf(target: Target): InlineConfig {
  return {
    root: web,
    configFile: false,
    plugins: [react(), startNotice(), scriptLoading()],
    // Placeholder for the server's nonce, which styles injected by scripts need.
    html: { cspNonce: "__CSP_NONCE__" },
    css: { postcss: `${web}/build/postcss.config.cjs` },
    build: {
      target: target.script,
      cssTarget: target.styles,
      cssCodeSplit: target.hasOneStyle !== true,
      assetsDir: "assets",
      assetsInlineLimit: 0, // the Content-Security-Policy forbids `data:`
      modulePreload: { polyfill: false, resolveDependencies: listFiles },
      manifest: target.manifest,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY, // `npm run check` limits each view
      emptyOutDir: false, // each build has a fresh folder, shared by several targets
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
