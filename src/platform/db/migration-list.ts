/** The migrations of this version, and which of them the database has. */
import { readdir } from "node:fs/promises";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import type { Knex } from "knex";
import { rowsOf, tablesSchema, type Db } from "./pool.ts";

export type Migration = Knex.Migration & {
  /**
   * A migration that an earlier run must have applied, unless the database is new: this one removes
   * what processes of the previous version still need. The code runs with and without it.
   */
  notInRunOf?: string;
  /** Migrations that are held back, but must have been applied before this one. */
  needs?: readonly string[];
  /** Without a transaction the names of tables must contain the schema. */
  config?: { transaction: boolean };
};

export const migrationsTable = "schema_migrations";

const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));

/**
 * Names of migrations without extension. Knex itself stores it, and would report a corrupt directory
 * where the files are compiled.
 */
export async function listMigrations(): Promise<string[]> {
  return (await readdir(migrationsDir))
    .filter((file) => /^\d{14}_\w+\.ts$/u.test(file))
    .map((file) => parse(file).name)
    .toSorted();
}

// The literal parts let the build find the files.
export function loadMigration(stem: string): Promise<Migration> {
  return import(`../../../migrations/${stem}.ts`) as Promise<Migration>;
}

/**
 * Unlike Knex, it does not create the table, and accepts migrations of a later version: processes of
 * this one stay ready while they are replaced.
 */
export async function listApplied(db: Db, before?: Date): Promise<string[]> {
  const table = `${tablesSchema}.${migrationsTable}`;
  const [row] = await rowsOf<{ isFound: boolean }>(
    db,
    `SELECT to_regclass(?) IS NOT NULL AS "isFound"`,
    [table],
  );
  const rows =
    row?.isFound === true
      ? await rowsOf<{ name: string }>(
          db,
          `SELECT name FROM ${table} WHERE migration_time < coalesce(CAST(? AS timestamptz), 'infinity') ORDER BY id`,
          [before ?? null],
        )
      : [];
  return rows.map(({ name }) => name);
}

export async function listPending(
  applied: readonly string[],
  isListed: (migration: Migration) => boolean,
): Promise<string[]> {
  const names = (await listMigrations()).filter((name) => !applied.includes(name));
  const migrations = await Promise.all(names.map(loadMigration));
  return names.filter((_name, index) => isListed(migrations[index] as Migration));
}
