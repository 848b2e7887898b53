import type { Knex } from "knex";
import {
  down as dropViews,
  renamedTables,
  up as createViews,
  type RenamedTable,
} from "./20261127100000_add_new_names.ts";

/**
 * Not applied in the same run as that migration, because processes of the previous version may
 * still be running.
 */
export const notInRunOf = "20261127100000_add_new_names";

/** Changes the catalog only, no rows. */
export const up = async (knex: Knex): Promise<void> => {
  await lockTables(
    knex,
    renamedTables.map(({ to }) => `sightline_next.${to}`),
  );
  await dropViews(knex);
  await renameAll(knex, renamedTables);
  await knex.raw("ALTER INDEX events_message RENAME TO events_event");
};

export const down = async (knex: Knex): Promise<void> => {
  await lockTables(
    knex,
    renamedTables.map(({ to }) => `public.${to}`),
  );
  await knex.raw("ALTER INDEX events_event RENAME TO events_message");
  await renameAll(knex, renamedTables.map(invert));
  await createViews(knex);
};

/**
 * Locks all tables and their views together. Waiting for a lock blocks every later query on the
 * table, and may deadlock with a transaction that locks in another order. So each wait is shorter
 * than `deadlock_timeout`, and all locks are released between attempts.
 */
export async function lockTables(knex: Knex, names: readonly string[]): Promise<void> {
  await knex.raw(`
    DO $$
    BEGIN
      FOR attempt IN 1..300 LOOP
        BEGIN
          SET LOCAL lock_timeout = '200ms';
          LOCK TABLE ${names.join(", ")} IN ACCESS EXCLUSIVE MODE;
          RETURN;
        EXCEPTION WHEN lock_not_available THEN
          PERFORM pg_sleep(0.1 + random() / 10);
        END;
      END LOOP;
      RAISE EXCEPTION 'The tables were in use for a minute: run release again';
    END $$`);
}

export function invert({ from, to, columns }: RenamedTable): RenamedTable {
  const swapped = Object.entries(columns).map(([before, after]) => [after, before]);
  return { from: to, to: from, columns: Object.fromEntries(swapped) as Record<string, string> };
}

export async function renameAll(knex: Knex, tables: readonly RenamedTable[]): Promise<void> {
  for (const { from, to, columns } of tables) {
    const changes: [string, string][] = Object.entries(columns);
    if (from !== to) {
      await knex.raw(`ALTER TABLE ${from} RENAME TO ${to};
        ALTER SEQUENCE ${from}_id_seq RENAME TO ${to}_id_seq`);
      changes.push([from, to]);
    }
    for (const [before, after] of Object.entries(columns)) {
      await knex.raw(`ALTER TABLE ${to} RENAME COLUMN ${before} TO ${after}`);
    }
    for (const [before, after] of changes) {
      await renameParts(knex, to, { before, after });
    }
  }
}

/**
 * Renames constraints, including the NOT NULL constraints of newer servers, and indexes, including
 * those of partitions.
 */
async function renameParts(
  knex: Knex,
  table: string,
  { before, after }: { before: string; after: string },
): Promise<void> {
  await knex.raw(`
    DO $$
    DECLARE
      part record;
      old_word text := '(^|_)${before}_';
      new_word text := '\\1${after}_';
    BEGIN
      FOR part IN SELECT conname AS name FROM pg_constraint
        WHERE conrelid = '${table}'::regclass AND coninhcount = 0 AND conname ~ old_word
      LOOP
        EXECUTE format('ALTER TABLE ${table} RENAME CONSTRAINT %I TO %I',
          part.name, regexp_replace(part.name, old_word, new_word));
      END LOOP;
      FOR part IN SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relname ~ old_word AND (i.indrelid = '${table}'::regclass
          OR i.indrelid IN (SELECT relid FROM pg_partition_tree('${table}')))
      LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I',
          part.name, regexp_replace(part.name, old_word, new_word));
      END LOOP;
    END $$`);
}
