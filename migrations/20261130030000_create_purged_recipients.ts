import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Who got an SMS from the enterprise about a ticket that was purged since: STOP must opt the
    -- number out of its SMS, although its messages no longer name the recipient.
    CREATE TABLE purged_recipients (
      enterprise_id bigint NOT NULL REFERENCES enterprises (id) ON DELETE CASCADE,
      -- Keyed hash of the phone number, see createPhoneHash.
      phone_hash bytea NOT NULL CHECK (length(phone_hash) = 32),
      purged_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (phone_hash, enterprise_id)
    );
    CREATE INDEX purged_recipients_age ON purged_recipients (purged_at);
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("DROP TABLE purged_recipients");
};
