import { fileURLToPath, pathToFileURL } from "node:url";
import type { Knex } from "knex";
import { advisoryLocks, rowsOf, type Db } from "./pool.ts";
import { readdir } from "node:fs/promises";
import { extname, join, parse } from "node:path";

export type MigrationStatus = { applied: string[]; pending: string[] };

/** Applies all pending migrations. Safe in several processes at once, because of a lock. */
export async function migrateUp(db: Db): Promise<string[]> {
  const connection: unknown = await db.client.acquireConnection();
  try {
    await db.raw("SELECT pg_advisory_lock(?)", [advisoryLocks.migration]).connection(connection);
    const [, applied] = (await db.migrate.latest(options())) as [number, string[]];
    return applied;
  } finally {
    await db.raw("SELECT pg_advisory_unlock(?)", [advisoryLocks.migration]).connection(connection);
    await db.client.releaseConnection(connection);
  }
}

/** Reverts all migrations; for tests. Production reverts one batch at a time. */
export async function migrateDownAll(db: Db): Promise<void> {
  await db.migrate.rollback(options(), true);
}

/** Reverts the newest batch. Returns the names. */
export async function migrateDown(db: Db): Promise<string[]> {
  const [, reverted] = (await db.migrate.rollback(options())) as [number, string[]];
  return reverted;
}

/** Whether the schema of this build is applied. Cheap enough for a readiness probe. */
export async function isSchemaCurrent(db: Db): Promise<boolean> {
  const [row] = await rowsOf<{ found: boolean }>(
    db,
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS found",
  );
  return row?.found === true && (await migrationStatus(db)).pending.length === 0;
}

/** Applied and pending migrations. Read only. */
export async function migrationStatus(db: Db): Promise<MigrationStatus> {
  const [applied, pending] = (await db.migrate.list(options())) as [{ name: string }[], string[]];
  return { applied: applied.map((row) => row.name), pending: pending.map(String) };
}

const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));

function options(): Knex.MigratorConfig {
  return {
    migrationSource: stemMigrationSource(migrationsDir),
    tableName: "schema_migrations",
  };
}

/**
 * Names of migrations without extension, so that builds from `.ts` and emitted `.js` share one
 * table. Knex itself stores the extension and would report a corrupt directory after such a change.
 */
function stemMigrationSource(dir: string): Knex.MigrationSource<string> {
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
