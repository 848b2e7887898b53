import type { Knex } from "knex";

/**
 * Which revision of its subscription an attempt was sent by, and with it the address. Null for attempts
 * that were not sent, or made before this.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE attempts ADD COLUMN revision bigint");
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE attempts DROP COLUMN revision");
};
