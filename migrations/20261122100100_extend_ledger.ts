import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE events
      -- When the content was redacted; body is then empty.
      ADD COLUMN expunged_at timestamptz;
    -- Event ids begin with a timestamp, so both indexes only grow at their right end.
    CREATE INDEX events_message ON events (message_id);
    CREATE INDEX events_enterprise ON events (enterprise_id, id);

    ALTER TABLE deliveries
      -- The replay that created the delivery. Null: the relay.
      ADD COLUMN replay_id bigint,
      -- Result of the last attempt: 2xx … 5xx, or the class of the failure.
      ADD COLUMN last_result text,
      -- Reason of a cancellation.
      ADD COLUMN end_reason text,
      DROP CONSTRAINT deliveries_state_check,
      -- available: kept for a receiver that pulls.
      ADD CONSTRAINT deliveries_state_check CHECK (state IN ('pending', 'queued', 'sending',
        'delivered', 'retry', 'dead', 'paused', 'cancelled', 'available'));

    -- Deliveries that can be enqueued, in the order of enqueueing. First attempts have their own
    -- index, so that they never wait behind retries and replays.
    DROP INDEX deliveries_due;
    CREATE INDEX deliveries_first ON deliveries (subscription_id, due_at, sequence)
      WHERE state = 'pending' AND waits_for IS NULL AND replay_id IS NULL;
    CREATE INDEX deliveries_again ON deliveries (subscription_id, due_at, sequence)
      WHERE waits_for IS NULL
        AND (state = 'retry' OR (state = 'pending' AND replay_id IS NOT NULL));

    DROP INDEX deliveries_event;
    CREATE UNIQUE INDEX deliveries_event ON deliveries (event_id, subscription_id)
      WHERE replay_id IS NULL;
    CREATE INDEX deliveries_replayed ON deliveries (event_id, subscription_id)
      WHERE replay_id IS NOT NULL;
    CREATE UNIQUE INDEX deliveries_replay ON deliveries (replay_id, event_id)
      WHERE replay_id IS NOT NULL;

    -- Indexes for searches of the delivery log. Deliveries that succeeded at the first attempt,
    -- which are nearly all, are in none of them.
    CREATE INDEX deliveries_given_up ON deliveries (subscription_id, state, sequence)
      WHERE state IN ('dead', 'cancelled');
    CREATE INDEX deliveries_failed ON deliveries (subscription_id, last_result, sequence)
      WHERE last_result <> '2xx';
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    DROP INDEX deliveries_failed, deliveries_given_up, deliveries_replay, deliveries_replayed,
      deliveries_event, deliveries_again, deliveries_first;
    UPDATE deliveries SET state = 'cancelled' WHERE state = 'available';
    UPDATE deliveries SET replay_of = id WHERE replay_id IS NOT NULL AND replay_of IS NULL;
    ALTER TABLE deliveries
      DROP CONSTRAINT deliveries_state_check,
      DROP COLUMN replay_id, DROP COLUMN last_result, DROP COLUMN end_reason,
      ADD CONSTRAINT deliveries_state_check CHECK (state IN ('pending', 'queued', 'sending',
        'delivered', 'retry', 'dead', 'paused', 'cancelled'));
    CREATE UNIQUE INDEX deliveries_event ON deliveries (event_id, subscription_id)
      WHERE replay_of IS NULL;
    CREATE INDEX deliveries_due ON deliveries (subscription_id, due_at, sequence)
      WHERE state IN ('pending', 'retry') AND waits_for IS NULL;
    DROP INDEX events_enterprise, events_message;
    ALTER TABLE events DROP COLUMN expunged_at;
  `);
};
