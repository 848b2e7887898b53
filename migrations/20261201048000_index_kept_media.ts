import type { Knex } from "knex";

/** The index is built without blocking writes. After a crash it starts again. */
export const config = { transaction: false };

export const up = async (knex: Knex): Promise<void> => {
  // An interrupted build leaves an invalid index.
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.media_kept");
  // The storage quota sums up these columns for each upload and each chunk of a recording.
  await knex.raw(`CREATE INDEX CONCURRENTLY media_kept
    ON public.media (enterprise_id) INCLUDE (bytes, received_bytes)
    WHERE files_removed_at IS NULL`);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.media_kept");
};
