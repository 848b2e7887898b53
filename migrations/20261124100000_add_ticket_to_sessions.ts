import type { Knex } from "knex";

/**
 * A session opened by an `sso_url` is limited to one ticket, and ends with the tokens of that
 * ticket.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE browser_sessions ADD COLUMN ticket_id bigint;
    CREATE INDEX browser_sessions_ticket ON browser_sessions (enterprise_id, ticket_id)
      WHERE ticket_id IS NOT NULL;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("DELETE FROM browser_sessions WHERE ticket_id IS NOT NULL");
  await knex.raw("ALTER TABLE browser_sessions DROP COLUMN ticket_id");
};
