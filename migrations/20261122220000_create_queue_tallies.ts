import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- What came into the queue of each object kind and what left it, of all enterprises together, in
    -- pieces of ten seconds: what rates are told from. A few rows a minute, kept for hours.
    CREATE TABLE queue_tallies (
      at timestamptz NOT NULL,
      object text NOT NULL,
      -- Deliveries by the time at which they were made.
      made integer NOT NULL,
      -- Attempts by the time at which they ended.
      delivered integer NOT NULL,
      failed integer NOT NULL,
      PRIMARY KEY (at, object)
    ) WITH (fillfactor = 70);

    -- Up to where deliveries are counted, as "reached" and "missing" say it of attempts. What is
    -- there already came in at a time that nobody asks for.
    ALTER TABLE delivery_tally_progress
      ADD COLUMN made_reached bigint NOT NULL DEFAULT 0,
      ADD COLUMN made_missing json NOT NULL DEFAULT '[]';
    UPDATE delivery_tally_progress
    SET made_reached = (SELECT coalesce(max(id), 0) FROM deliveries);
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE delivery_tally_progress DROP COLUMN made_reached, DROP COLUMN made_missing;
    DROP TABLE queue_tallies;
  `);
};
