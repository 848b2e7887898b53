import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Networks and browsers with which a user has signed in, as keyed hashes: no address is stored.
    CREATE TABLE known_clients (
      enterprise_id bigint NOT NULL,
      user_id bigint NOT NULL,
      hash bytea NOT NULL CHECK (length(hash) = 32),
      -- Time of the last sign-in, to the day.
      seen_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (enterprise_id, user_id, hash),
      FOREIGN KEY (enterprise_id, user_id) REFERENCES users (enterprise_id, id) ON DELETE CASCADE
    );
    CREATE INDEX known_clients_seen ON known_clients (seen_at);
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("DROP TABLE known_clients");
};
