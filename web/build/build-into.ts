import { build, type InlineConfig } from "vite";
import { loaderConfig } from "./loader.config.ts";
import { packFiles } from "./pack.ts";
import { views } from "./pages.ts";
import { writePreloads } from "./preloads.ts";
import { surveyGroups } from "./survey.ts";
import { applications, configOf, smallPages } from "./vite.config.ts";

const folders = new Set(applications.chosen.map(({ folder }) => folder));

const applicationViews = views.filter(({ folder }) => folders.has(folder));

/** Builds all pages and scripts into a folder, with compressed variants. */
export async function buildInto(folder: string): Promise<void> {
  const configs = [await applicationsConfig(), ...smallPages.map(configOf), loaderConfig];
  for (const config of configs) {
    await build({ ...config, build: { ...config.build, outDir: folder } });
  }
  await writePreloads(folder, { manifest: applications.manifest, views: applicationViews });
  await packFiles(folder);
}

/** The applications, with chunks merged as far as each page's script budget allows. */
async function applicationsConfig(): Promise<InlineConfig> {
  const config = configOf(applications);
  const groups = await surveyGroups(config, applicationViews);
  const groupOf = new Map(groups.flatMap((ids, index) => ids.map((id) => [id, `part-${index}`])));
  const together = {
    debugName: "parts",
    name: (id: string): string | null => groupOf.get(id) ?? null,
    test: (id: string): boolean => groupOf.has(id),
    includeDependenciesRecursively: false,
  };
  const output = { codeSplitting: { groups: [together] } };
  const rolldownOptions = { ...config.build?.rolldownOptions, output };
  return { ...config, build: { ...config.build, rolldownOptions } };
}
