import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- The tickets that a session reaches if \`sso_url\`s opened it, each until its token ends. The
    -- session of a process of an older version has none: it reaches \`browser_sessions.ticket_id\`.
    CREATE TABLE browser_session_tickets (
      session_id bigint NOT NULL REFERENCES browser_sessions (id) ON DELETE CASCADE,
      enterprise_id bigint NOT NULL,
      ticket_id bigint NOT NULL,
      ends_at timestamptz NOT NULL,
      PRIMARY KEY (session_id, ticket_id)
    );
    CREATE INDEX browser_session_tickets_ticket ON browser_session_tickets (enterprise_id, ticket_id);
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("DROP TABLE browser_session_tickets");
};
