import { fileURLToPath } from "node:url";
import type { Knex } from "knex";
import { advisoryLocks } from "./advisory-locks.ts";
import { stemMigrationSource } from "./migration-source.ts";
import { rowsOf, type Db } from "./pool.ts";

const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));

const options = (): Knex.MigratorConfig => ({
  migrationSource: stemMigrationSource(migrationsDir),
  tableName: "schema_migrations",
});

/** Applies every pending migration. Several processes may call it at once: they take turns. */
export const migrateUp = async (db: Db): Promise<string[]> => {
  const connection: unknown = await db.client.acquireConnection();
  try {
    await db.raw("SELECT pg_advisory_lock(?)", [advisoryLocks.migration]).connection(connection);
    const [, applied] = (await db.migrate.latest(options())) as [number, string[]];
    return applied;
  } finally {
    await db.raw("SELECT pg_advisory_unlock(?)", [advisoryLocks.migration]).connection(connection);
    await db.client.releaseConnection(connection);
  }
};

/** Reverts every migration. For tests of the way back; production goes down one at a time. */
export const migrateDownAll = async (db: Db): Promise<void> => {
  await db.migrate.rollback(options(), true);
};

/** Reverts the newest batch. Returns the names. */
export const migrateDown = async (db: Db): Promise<string[]> => {
  const [, reverted] = (await db.migrate.rollback(options())) as [number, string[]];
  return reverted;
};

export type MigrationStatus = { applied: string[]; pending: string[] };

/** What is applied and what is not. Reads only. */
export const migrationStatus = async (db: Db): Promise<MigrationStatus> => {
  const [applied, pending] = (await db.migrate.list(options())) as [{ name: string }[], string[]];
  return { applied: applied.map((row) => row.name), pending: pending.map(String) };
};

/** True where this build's schema is in place. Cheap enough for a readiness probe. */
export const isSchemaCurrent = async (db: Db): Promise<boolean> => {
  const [row] = await rowsOf<{ found: boolean }>(
    db,
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS found",
  );
  return row?.found === true && (await migrationStatus(db)).pending.length === 0;
};
