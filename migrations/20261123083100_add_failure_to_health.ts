import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Result of the latest failed attempt, until the receiver succeeds again: the status of the
    -- response, or why there was no response.
    ALTER TABLE subscription_health
      ADD COLUMN failure_status integer,
      ADD COLUMN failure text;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE subscription_health DROP COLUMN failure_status, DROP COLUMN failure");
};
