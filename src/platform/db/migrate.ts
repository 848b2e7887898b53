import { fileURLToPath } from "node:url";
import type { Knex } from "knex";
import { advisoryLocks, rowsOf, type Db } from "./pool.ts";
import { readdir } from "node:fs/promises";
import { parse } from "node:path";

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
  return { migrationSource, tableName: "schema_migrations" };
}

/**
 * Names of migrations without extension. Knex itself stores it, and would report a corrupt directory
 * where the files are compiled.
 */
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () =>
    (await readdir(migrationsDir))
      .filter((file) => /^\d{14}_\w+\.ts$/u.test(file))
      .map((file) => parse(file).name)
      .toSorted(),
  getMigrationName: (stem) => stem,
  // The literal parts let the build find the files.
  getMigration: (stem) => import(`../../../migrations/${stem}.ts`),
};
