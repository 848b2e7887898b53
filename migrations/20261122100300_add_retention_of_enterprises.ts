import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- How many days the content of events, and deliveries with their attempts, are kept.
    -- Null: the platform's setting.
    ALTER TABLE enterprises
      ADD COLUMN payload_days integer CHECK (payload_days BETWEEN 1 AND 400),
      ADD COLUMN log_days integer CHECK (log_days BETWEEN 4 AND 400);
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE enterprises DROP COLUMN payload_days, DROP COLUMN log_days");
};
