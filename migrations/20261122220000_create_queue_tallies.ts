import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Deliveries created and attempts ended per object type, of all enterprises, in intervals of
    -- ten seconds. The source of the rates; kept for hours.
    CREATE TABLE queue_tallies (
      at timestamptz NOT NULL,
      object text NOT NULL,
      -- Deliveries by the time of their creation.
      made integer NOT NULL,
      -- Attempts by the time of their end.
      delivered integer NOT NULL,
      failed integer NOT NULL,
      PRIMARY KEY (at, object)
    ) WITH (fillfactor = 70);

    -- Progress of counting deliveries, with the same two columns as for attempts. Deliveries that
    -- exist already are too old for any rate, so they are not counted.
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
