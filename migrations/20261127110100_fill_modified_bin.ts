import type { Knex } from "knex";
import { binSql } from "./20261127110000_add_modified_bin.ts";

/**
 * Each batch is a transaction, and the index is built without blocking writes. After a crash it
 * starts again.
 */
export const config = { transaction: false };

/** Locks of a batch are held for about 100 ms. */
const batchSize = 5_000;

export const up = async (knex: Knex): Promise<void> => {
  await fill(knex);
  // An interrupted build leaves an invalid index.
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.tickets_modified_bin");
  await knex.raw(`CREATE INDEX CONCURRENTLY tickets_modified_bin
    ON public.tickets (enterprise_id, modified_bin) WHERE deleted_at IS NULL`);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.tickets_modified_bin");
};

/** The trigger of the migration before sets the column of new rows. */
async function fill(knex: Knex): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await knex.raw<{ rows: [{ last: number | null }] }>(
      `WITH batch AS (
         SELECT id FROM public.tickets WHERE id > ? ORDER BY id LIMIT ${batchSize}),
       filled AS (
         UPDATE public.tickets t
         SET modified_bin = ${binSql("t.modified_at")}
         FROM batch WHERE t.id = batch.id AND t.modified_bin IS NULL)
       SELECT max(id) AS last FROM batch`,
      [after],
    );
    const [{ last }] = rows;
    if (last === null) {
      return;
    }
    after = last;
  }
}
