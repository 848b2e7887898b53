import type { Knex } from "knex";
import { lockTables } from "./20261127100100_rename_old_names.ts";

/** The index is built without blocking writes. After a crash it starts again. */
export const config = { transaction: false };

export const up = async (knex: Knex): Promise<void> => {
  await knex.transaction(async (trx) => {
    await lockTables(trx, ["public.media"]);
    // Chosen by the page that uploads a file: a second upload with the same key is a duplicate.
    await trx.raw("ALTER TABLE public.media ADD COLUMN IF NOT EXISTS client_key uuid");
  });
  // An interrupted build leaves an invalid index.
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.media_client_key");
  // A failed upload may be repeated.
  await knex.raw(`CREATE UNIQUE INDEX CONCURRENTLY media_client_key
    ON public.media (conversation_id, client_key)
    WHERE client_key IS NOT NULL AND state <> 'error'`);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE public.media DROP COLUMN IF EXISTS client_key");
};
