import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- How long the person's page reported each connection quality. NULL: it reported none, or a
    -- process of an older version held its connection.
    ALTER TABLE stays
      ADD COLUMN good_ms integer,
      ADD COLUMN fair_ms integer,
      ADD COLUMN poor_ms integer;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE stays DROP COLUMN good_ms, DROP COLUMN fair_ms, DROP COLUMN poor_ms;
  `);
};
