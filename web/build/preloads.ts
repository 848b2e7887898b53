/** The initial scripts of each URL, for the server's preload headers. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listImports, type Manifest } from "./circles.ts";
import { modulesOf, type View } from "./pages.ts";

/** Read by the server; `src/pages/page.ts` has the same shape. */
const fileName = "preloads.json";

type Preload = Readonly<{
  folder: string;
  address: string;
  /** Scripts by language, without a leading slash. */
  scripts: Readonly<Record<"en" | "fr", readonly string[]>>;
}>;

export async function writePreloads(
  folder: string,
  { manifest: name, views }: { manifest: string; views: readonly View[] },
): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, name), "utf8")) as Manifest;
  const preloads = views.map((view): Preload => {
    const modules = modulesOf(view);
    return {
      ...{ folder: view.folder, address: view.address },
      scripts: {
        en: scriptsOf(manifest, inLanguage(modules, "en")),
        fr: scriptsOf(manifest, inLanguage(modules, "fr")),
      },
    };
  });
  await writeFile(join(folder, fileName), JSON.stringify(preloads));
}

function scriptsOf(manifest: Manifest, modules: readonly string[]): string[] {
  const names = modules.flatMap((module) => [module, ...listImports(manifest, module)]);
  return [...new Set(names.flatMap((name) => manifest[name]?.file ?? []))];
}

/** Replaces the texts by those of the other language. */
function inLanguage(modules: readonly string[], language: string): string[] {
  return modules.map((module) => module.replace(/\/texts\/\w+\.json$/u, `/texts/${language}.json`));
}
