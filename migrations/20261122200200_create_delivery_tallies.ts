import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- How attempts ended, summed up per subscription and piece of time: what charts are drawn from.
    CREATE TABLE delivery_tallies (
      subscription_id bigint NOT NULL REFERENCES subscriptions ON DELETE CASCADE,
      enterprise_id bigint NOT NULL REFERENCES enterprises,
      -- Seconds that the row stands for, from "at" on, by the time at which an attempt began.
      step integer NOT NULL CHECK (step IN (10, 60, 600, 3600)),
      at timestamptz NOT NULL,
      delivered integer NOT NULL,
      failed integer NOT NULL,
      -- Attempts that were not the first of their delivery, however they ended.
      retried integer NOT NULL,
      -- Deliveries that were given up.
      dead integer NOT NULL,
      -- Histograms by the bounds of src/pipeline/ledger/attempt-tallies.ts; zeros at the end are left out.
      -- From the event to the answer, of first attempts that were delivered.
      latencies integer[] NOT NULL DEFAULT '{}',
      -- How long receivers took for their answers.
      answers integer[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (subscription_id, step, at)
    ) WITH (fillfactor = 70);
    CREATE INDEX delivery_tallies_enterprise ON delivery_tallies (enterprise_id, step, at);
    CREATE INDEX delivery_tallies_age ON delivery_tallies (step, at);

    -- Up to where attempts are summed up. "missing": ids below it that may still be committed.
    CREATE TABLE delivery_tally_progress (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      reached bigint NOT NULL,
      missing json NOT NULL,
      tallied_at timestamptz NOT NULL
    );
    INSERT INTO delivery_tally_progress (reached, missing, tallied_at) VALUES (0, '[]', now());

    -- When each pass of the schedule last ran: tells operators whether it does.
    CREATE TABLE schedule_passes (
      name text PRIMARY KEY,
      -- How often it is to run.
      every_ms integer NOT NULL,
      ran_at timestamptz NOT NULL,
      took_ms integer NOT NULL,
      -- Null while it works.
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
