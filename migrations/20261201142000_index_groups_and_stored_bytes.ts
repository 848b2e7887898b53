import type { Knex } from "knex";

/** The indexes are built without blocking writes. After a crash they start again. */
export const config = { transaction: false };

/** Of the tickets of a group, for its deletion; and for the bytes that count for quota and usage. */
const indexes = [
  ["tickets_group", "public.tickets (enterprise_id, group_id) WHERE group_id IS NOT NULL"],
  [
    "media_stored",
    `public.media (enterprise_id) INCLUDE (bytes, received_bytes, deleted_at)
       WHERE files_removed_at IS NULL`,
  ],
] as const;

const kept = "public.media (enterprise_id) INCLUDE (bytes, received_bytes)";

export const up = async (knex: Knex): Promise<void> => {
  for (const [name, definition] of indexes) {
    // An interrupted build leaves an invalid index.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS public.${name}`);
    await knex.raw(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
  }
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.media_kept");
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.media_kept");
  await knex.raw(`CREATE INDEX CONCURRENTLY media_kept ON ${kept} WHERE files_removed_at IS NULL`);
  for (const [name] of indexes) {
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS public.${name}`);
  }
};
