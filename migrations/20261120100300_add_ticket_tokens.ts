import type { Knex } from "knex";

/** Tokens of the agent's link to one ticket. They open that ticket and nothing else. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE tokens
      DROP CONSTRAINT tokens_kind_check,
      ADD COLUMN ticket_id bigint,
      ADD CONSTRAINT tokens_kind_check CHECK (kind IN ('access', 'refresh', 'sso')),
      ADD CONSTRAINT tokens_ticket_check CHECK ((kind = 'sso') = (ticket_id IS NOT NULL)),
      ADD FOREIGN KEY (enterprise_id, ticket_id) REFERENCES tickets (enterprise_id, id)
        ON DELETE CASCADE;
    CREATE INDEX tokens_ticket ON tokens (ticket_id) WHERE ticket_id IS NOT NULL;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    DELETE FROM tokens WHERE kind = 'sso';
    ALTER TABLE tokens
      DROP CONSTRAINT tokens_ticket_check,
      DROP CONSTRAINT tokens_kind_check,
      DROP COLUMN ticket_id,
      ADD CONSTRAINT tokens_kind_check CHECK (kind IN ('access', 'refresh'));
  `);
};
