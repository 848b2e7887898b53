import { readdir } from "node:fs/promises";
import { extname, join, parse } from "node:path";
import { pathToFileURL } from "node:url";
import type { Knex } from "knex";

/**
 * Migrations by their stem: the table then holds the same names whether this build runs `.ts`
 * or emitted `.js` files. Knex itself stores names with their extension and would call the
 * directory corrupt after such a change.
 */
export function stemMigrationSource(dir: string): Knex.MigrationSource<string> {
  const extension = extname(import.meta.url);
  const isOurs = (file: string): boolean =>
    extname(file) === extension && !file.endsWith(".d.ts") && /^\d{14}_/u.test(file);
  return {
    getMigrations: async () =>
      (await readdir(dir))
        .filter(isOurs)
        .map((file) => parse(file).name)
        .toSorted(),
    getMigrationName: (stem) => stem,
    getMigration: (stem) => import(pathToFileURL(join(dir, stem + extension)).href),
  };
}
