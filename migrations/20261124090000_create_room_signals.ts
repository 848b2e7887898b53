import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- What a page reports about itself, and whether it takes part in the session.
    ALTER TABLE room_peers
      ADD COLUMN is_in_call boolean NOT NULL DEFAULT false,
      ADD COLUMN state jsonb NOT NULL DEFAULT '{}'
        CHECK (octet_length(state::text) <= 2000);

    -- Call messages for pages that are connected to another process; deleted after a minute.
    -- Unlogged: after a crash of the database the pages connect and negotiate again anyway.
    CREATE UNLOGGED TABLE room_signals (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      enterprise_id bigint NOT NULL,
      conversation_id bigint NOT NULL,
      -- The process that sent it: its own pages have it already.
      origin uuid NOT NULL,
      -- Null: everybody in the room but the sender.
      to_peer uuid,
      -- Null: sent by the server itself.
      from_peer uuid,
      type text NOT NULL,
      payload jsonb NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX room_signals_created ON room_signals (created_at);

    -- The newest answer of each person to the question whether a session may be recorded.
    CREATE TABLE recording_consents (
      session_id uuid NOT NULL,
      participant text NOT NULL,
      enterprise_id bigint NOT NULL,
      is_accepted boolean NOT NULL,
      answered_at timestamptz NOT NULL,
      PRIMARY KEY (session_id, participant),
      FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
    );
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    DROP TABLE recording_consents;
    DROP TABLE room_signals;
    ALTER TABLE room_peers DROP COLUMN is_in_call, DROP COLUMN state;
  `);
};
