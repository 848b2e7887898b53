import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE tickets
      ADD COLUMN last_invited_at timestamptz,
      -- When the state changes automatically, to expired or closed. Null: never.
      ADD COLUMN ages_at timestamptz,
      -- The planned start of the last reminder, so that there is one reminder per planned start.
      ADD COLUMN reminded_of timestamptz,
      -- The browser of the customer's latest visit.
      ADD COLUMN user_agent text CHECK (length(user_agent) <= 512);
    CREATE INDEX tickets_age ON tickets (ages_at) WHERE ages_at IS NOT NULL AND deleted_at IS NULL;
    -- Index-only counts by filter or group. All columns are key columns, so that deduplication
    -- keeps the index small.
    CREATE INDEX tickets_figures ON tickets (enterprise_id, state, service_id, agent_id, group_id)
      WHERE deleted_at IS NULL;
    -- The tickets of an agent, in the order of the list: the most frequent list.
    DROP INDEX tickets_agent;
    CREATE INDEX tickets_agent ON tickets (enterprise_id, agent_id, created_at, id)
      WHERE deleted_at IS NULL;
    CREATE INDEX tickets_modified ON tickets (enterprise_id, modified_at, id)
      WHERE deleted_at IS NULL;
    CREATE INDEX tickets_start ON tickets (enterprise_id, start_time, id)
      WHERE deleted_at IS NULL;
    CREATE INDEX tickets_deleted ON tickets (deleted_at) WHERE deleted_at IS NOT NULL;

    UPDATE tickets SET ages_at = CASE
        WHEN state = 'invited' THEN greatest(end_time, modified_at + interval '24 hours')
        WHEN state IN ('new', 'open', 'opened', 'updated') THEN modified_at + interval '30 days'
        WHEN state = 'done' THEN modified_at + interval '7 days'
        WHEN state IN ('rejected', 'declined', 'expired') THEN modified_at + interval '30 days'
      END,
      last_invited_at = CASE WHEN state = 'invited' THEN modified_at END;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    DROP INDEX tickets_age, tickets_deleted, tickets_figures, tickets_modified, tickets_start,
      tickets_agent;
    CREATE INDEX tickets_agent ON tickets (enterprise_id, agent_id) WHERE deleted_at IS NULL;
    ALTER TABLE tickets DROP COLUMN last_invited_at, DROP COLUMN ages_at, DROP COLUMN user_agent,
      DROP COLUMN reminded_of;
  `);
};
