import type { Knex } from "knex";

/**
 * The revision of the subscription at the time of the attempt, which determines its URL. Null if
 * nothing was sent, or if the attempt is older than this column.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE attempts ADD COLUMN revision bigint");
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE attempts DROP COLUMN revision");
};
