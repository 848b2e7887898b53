import type { Knex } from "knex";
import { lockTables } from "./20261127100100_rename_old_names.ts";
import { binSql, createTrigger, dropTrigger } from "./20261127110000_add_modified_bin.ts";

/** Processes of the previous version order lists by `modified_at`, and do not set `modified_bin`. */
export const notInRunOf = "20261127110100_fill_modified_bin";

/** No lock is held while rows are read. After a crash it starts again. */
export const config = { transaction: false };

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.tickets_modified");
  await inLockedTickets(knex, async (trx) => {
    await trx.raw(`
      ALTER TABLE public.tickets DROP CONSTRAINT IF EXISTS tickets_modified_bin_check;
      ALTER TABLE public.tickets ADD CONSTRAINT tickets_modified_bin_check CHECK (
        modified_bin IS NOT NULL AND modified_bin = ${binSql("modified_at")}) NOT VALID;
    `);
  });
  await knex.raw("ALTER TABLE public.tickets VALIDATE CONSTRAINT tickets_modified_bin_check");
  await inLockedTickets(knex, dropTrigger);
  // Room for the new version of a row on the page of the old one: it needs no index entries then.
  await knex.raw("ALTER TABLE public.tickets SET (fillfactor = 85)");
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE public.tickets RESET (fillfactor);
    ALTER TABLE public.tickets DROP CONSTRAINT IF EXISTS tickets_modified_bin_check;
  `);
  await createTrigger(knex);
  // An interrupted build leaves an invalid index.
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.tickets_modified");
  await knex.raw(`CREATE INDEX CONCURRENTLY tickets_modified
    ON public.tickets (enterprise_id, modified_at, id) WHERE deleted_at IS NULL`);
};

async function inLockedTickets(knex: Knex, change: (trx: Knex) => Promise<void>): Promise<void> {
  await knex.transaction(async (trx) => {
    await lockTables(trx, ["public.tickets"]);
    await change(trx);
  });
}
