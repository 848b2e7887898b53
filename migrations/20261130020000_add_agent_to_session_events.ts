import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- The user whom the attribute "agent" names. NULL: nobody, or a process of an older version
    -- stored the entry.
    ALTER TABLE session_events ADD COLUMN agent_id bigint;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE session_events DROP COLUMN agent_id");
};
