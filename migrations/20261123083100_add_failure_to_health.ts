import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- How the newest failed attempt ended, for as long as the receiver has not succeeded since: the
    -- status of its answer, or why there was none.
    ALTER TABLE subscription_health
      ADD COLUMN failure_status integer,
      ADD COLUMN failure text;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE subscription_health DROP COLUMN failure_status, DROP COLUMN failure");
};
