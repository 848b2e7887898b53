import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Counts of attempts per subscription and interval, for charts.
    CREATE TABLE delivery_tallies (
      subscription_id bigint NOT NULL REFERENCES subscriptions ON DELETE CASCADE,
      enterprise_id bigint NOT NULL REFERENCES enterprises,
      -- Length of the interval in seconds. Attempts count in the interval in which they started.
      step integer NOT NULL CHECK (step IN (10, 60, 600, 3600)),
      at timestamptz NOT NULL,
      delivered integer NOT NULL,
      failed integer NOT NULL,
      -- Attempts that were not the first of their delivery, whatever their result.
      retried integer NOT NULL,
      -- Deliveries that became dead.
      dead integer NOT NULL,
      -- Histograms, without trailing zeros. Bounds: src/pipeline/ledger/attempt-tallies.ts.
      -- From the event to the response, for deliveries that succeeded at the first attempt.
      latencies integer[] NOT NULL DEFAULT '{}',
      -- Response times of the receivers.
      answers integer[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (subscription_id, step, at)
    ) WITH (fillfactor = 70);
    CREATE INDEX delivery_tallies_enterprise ON delivery_tallies (enterprise_id, step, at);
    CREATE INDEX delivery_tallies_age ON delivery_tallies (step, at);

    -- Attempts up to "reached" are counted, except "missing": lower ids not committed yet.
    CREATE TABLE delivery_tally_progress (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      reached bigint NOT NULL,
      missing json NOT NULL,
      tallied_at timestamptz NOT NULL
    );
    INSERT INTO delivery_tally_progress (reached, missing, tallied_at) VALUES (0, '[]', now());

    -- When each pass of the scheduler last ran, for monitoring.
    CREATE TABLE schedule_passes (
      name text PRIMARY KEY,
      -- The intended interval of the pass.
      every_ms integer NOT NULL,
      ran_at timestamptz NOT NULL,
      took_ms integer NOT NULL,
      -- Null while the pass succeeds.
      failing_since timestamptz,
      reason text
    );
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    DROP TABLE schedule_passes;
    DROP TABLE delivery_tally_progress;
    DROP TABLE delivery_tallies;
  `);
};
