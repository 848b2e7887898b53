import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Determines the shard of the row (src/pipeline/relay/shards.ts). No index: relays read the
    -- outbox in the order of its key. Null in rows of older processes.
    ALTER TABLE outbox ADD COLUMN enterprise_id bigint;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE outbox DROP COLUMN enterprise_id");
};
