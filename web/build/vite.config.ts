/** How the pages are built: hashed files below `/assets`, nothing inline, nothing from elsewhere. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { InlineConfig } from "vite";
import { pages, type BuiltPage } from "./pages.ts";

const web = fileURLToPath(new URL("..", import.meta.url));

type Target = Readonly<{
  manifest: string;
  script: string[];
  /** Where `light-dark()` is unknown, it is written in other words. */
  styles: string[];
  chosen: readonly BuiltPage[];
}>;

const mantine = "@mantine/core/esm/components";

/** What every page made of components begins with. */
const ofAll = [
  ...[
    "@babel/runtime",
    "get-nonce",
    "detect-node-es",
    "react",
    "react-dom",
    "react-[a-z-]+",
    "scheduler",
    "use-[a-z-]+",
    "tslib",
    "clsx",
  ],
  ...["@floating-ui/[a-z-]+", "@mantine/(?:hooks|notifications|store)", "@mantine/core"],
  ...["@tanstack/(?:query-core|react-query)", "openapi-fetch"],
];

/** What only the frame of the console begins with. */
const ofFrame = [
  "@tanstack/(?:history|react-router|react-store|router-core|store)",
  `${mantine}/(?:Avatar|Burger|Divider|FocusTrap|Menu|NavLink|Popover)`,
];

/** What only a form begins with that asks for a password, or invites. */
const ofForms = [`${mantine}/(?:Anchor|Combobox|CopyButton|NativeSelect|Paper|PasswordInput)`];

const within = (names: readonly string[]): string => `/node_modules/(?:${names.join("|")})/`;

/**
 * Libraries that pages begin with come in one file for all pages and one for the frame of the
 * console: left to itself the bundler makes a hundred small ones, which take a request each and
 * do not pack as well.
 */
const libraries = [
  { name: "frame", test: new RegExp(within(ofFrame), "u"), priority: 2 },
  {
    name: "base",
    test: new RegExp(`^(?!.*${within(ofForms)}).*${within(ofAll)}`, "u"),
    priority: 1,
  },
].map((group) => ({
  ...group,
  tags: ["$initial" as const],
  includeDependenciesRecursively: false,
}));

const configOf = ({ manifest, script, styles, chosen }: Target): InlineConfig => ({
  root: web,
  configFile: false,
  plugins: [react()],
  // The server puts a fresh nonce where this stands: styles that scripts make carry it.
  html: { cspNonce: "__CSP_NONCE__" },
  css: { postcss: `${web}/build/postcss.config.cjs` },
  build: {
    target: script,
    cssTarget: styles,
    assetsDir: "assets",
    assetsInlineLimit: 0, // `data:` would need a hole in the Content-Security-Policy
    modulePreload: { polyfill: false },
    manifest,
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY, // `npm run check` bounds what each view loads
    emptyOutDir: false, // each build has a fresh folder, and there are several
    rolldownOptions: {
      input: Object.fromEntries(
        chosen.map(({ folder }) => [folder.replaceAll("/", "-"), `${web}/${folder}/index.html`]),
      ),
      output: { codeSplitting: { groups: libraries } },
    },
  },
  logLevel: "warn",
});

const oldBrowsers = ["chrome64", "safari12", "firefox60", "edge79"];

/** What staff open, and what customers open; the second knows nothing that is younger than 2018. */
export const targets: readonly Target[] = [
  {
    manifest: "manifest.json",
    script: ["es2022"],
    styles: ["chrome123", "safari17.5", "firefox120"],
    chosen: pages.filter(({ isForOldBrowsers }) => isForOldBrowsers !== true),
  },
  {
    manifest: "manifest-old-browsers.json",
    script: ["es2018", ...oldBrowsers],
    styles: oldBrowsers,
    chosen: pages.filter(({ isForOldBrowsers }) => isForOldBrowsers === true),
  },
];

export const pagesConfigs: readonly InlineConfig[] = targets.map(configOf);
