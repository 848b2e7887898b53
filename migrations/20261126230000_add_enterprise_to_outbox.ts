import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Tells the shard of the row (src/pipeline/relay/shards.ts). Without an index: relays read the
    -- outbox in the order of its key. Null in rows of processes that do not know the column yet.
    ALTER TABLE outbox ADD COLUMN enterprise_id bigint;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE outbox DROP COLUMN enterprise_id");
};
