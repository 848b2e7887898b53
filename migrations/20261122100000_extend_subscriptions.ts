import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE subscriptions
      -- push: events are sent to the URL. pull: they are kept until the receiver requests them.
      ADD COLUMN mode text NOT NULL DEFAULT 'push' CHECK (mode IN ('push', 'pull')),
      -- A query on the body, as JSON text. Null: all bodies match.
      ADD COLUMN conditions text,
      ADD COLUMN max_per_second integer CHECK (max_per_second > 0),
      -- Seconds before the second, third … attempt. Null: the platform's retry schedule.
      ADD COLUMN retry_schedule integer[],
      ADD COLUMN signatures text[] NOT NULL DEFAULT '{v1}',
      ADD COLUMN header_presets text[] NOT NULL DEFAULT '{}',
      -- Encrypted with the platform's key: key pairs of v1a, OAuth 2.0 client, client certificate.
      ADD COLUMN keys_sealed bytea,
      ADD COLUMN oauth2_sealed bytea,
      ADD COLUMN certificate_sealed bytea,
      DROP CONSTRAINT subscriptions_check,
      ADD CONSTRAINT subscriptions_active_has_a_way CHECK (
        NOT is_active OR (deleted_at IS NULL AND (mode = 'pull' OR url IS NOT NULL)));

    ALTER TABLE subscription_revisions
      ADD COLUMN mode text NOT NULL DEFAULT 'push',
      ADD COLUMN conditions text;

    ALTER TABLE subscription_health
      -- Failures since the last success. Ten of them open the circuit.
      ADD COLUMN failures_in_row integer NOT NULL DEFAULT 0,
      -- Set while the circuit is open: the time of the next probe.
      ADD COLUMN probe_at timestamptz,
      -- Token bucket of max_per_second: its tokens, and when they were counted.
      ADD COLUMN rate_tokens double precision,
      ADD COLUMN rate_at timestamptz,
      -- The cursor that the receiver confirmed, and the time of its last request.
      ADD COLUMN pulled_to bigint NOT NULL DEFAULT 0,
      ADD COLUMN pulled_at timestamptz;
    -- Contains open circuits only.
    CREATE INDEX subscription_health_probes ON subscription_health (probe_at)
      WHERE probe_at IS NOT NULL;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    UPDATE subscriptions SET is_active = false WHERE is_active AND url IS NULL;
    DROP INDEX subscription_health_probes;
    ALTER TABLE subscription_health DROP COLUMN failures_in_row, DROP COLUMN probe_at,
      DROP COLUMN rate_tokens, DROP COLUMN rate_at, DROP COLUMN pulled_to, DROP COLUMN pulled_at;
    ALTER TABLE subscription_revisions DROP COLUMN mode, DROP COLUMN conditions;
    ALTER TABLE subscriptions
      DROP CONSTRAINT subscriptions_active_has_a_way,
      DROP COLUMN mode, DROP COLUMN conditions, DROP COLUMN max_per_second,
      DROP COLUMN retry_schedule, DROP COLUMN signatures, DROP COLUMN header_presets,
      DROP COLUMN keys_sealed, DROP COLUMN oauth2_sealed, DROP COLUMN certificate_sealed,
      ADD CONSTRAINT subscriptions_check CHECK (
        NOT is_active OR (url IS NOT NULL AND deleted_at IS NULL));
  `);
};
