import type { Knex } from "knex";
import { lockTables } from "./20261127100100_rename_old_names.ts";

/** The index is built without blocking writes. After a crash it starts again. */
export const config = { transaction: false };

export const up = async (knex: Knex): Promise<void> => {
  await knex.transaction(async (trx) => {
    await lockTables(trx, ["public.tickets"]);
    // Chosen by the page that sends a request: a second request with the same key is a duplicate.
    await trx.raw("ALTER TABLE public.tickets ADD COLUMN IF NOT EXISTS client_key uuid");
  });
  // An interrupted build leaves an invalid index.
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.tickets_client_key");
  await knex.raw(`CREATE UNIQUE INDEX CONCURRENTLY tickets_client_key
    ON public.tickets (button_id, client_key) WHERE client_key IS NOT NULL`);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE public.tickets DROP COLUMN IF EXISTS client_key");
};
