import type { Knex } from "knex";

/**
 * A lower bound for `due_at` of the deliveries that may be sent, and until when it holds. Processes of
 * the previous version ignore it: what they release or requeue meanwhile waits up to a second more.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE subscription_health
      ADD COLUMN earliest_due_at timestamptz NOT NULL DEFAULT '-infinity',
      ADD COLUMN earliest_due_until timestamptz NOT NULL DEFAULT '-infinity'`);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE subscription_health
      DROP COLUMN earliest_due_at, DROP COLUMN earliest_due_until`);
};
