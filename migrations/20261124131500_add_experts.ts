import type { Knex } from "knex";

const roles = "'agent', 'requestor', 'organizer', 'moderator', 'participant'";

const kinds = "'ticket', 'conference', 'reminder', 'cancel'";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Experts whom the agent of a ticket invited into its call. Each link is for one person.
    CREATE TABLE expert_invitations (
      id uuid PRIMARY KEY,
      enterprise_id bigint NOT NULL,
      ticket_id bigint NOT NULL,
      -- SHA-256 of the secret in the link.
      secret_hash bytea NOT NULL UNIQUE,
      -- A colleague; null for somebody from outside.
      user_id bigint,
      -- Null: the expert enters a name before the call.
      name text CHECK (length(name) BETWEEN 1 AND 128),
      -- Where the invitation of somebody from outside was sent; null for a colleague.
      contact text CHECK (length(contact) BETWEEN 1 AND 254),
      created_by bigint NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      FOREIGN KEY (enterprise_id, ticket_id) REFERENCES tickets (enterprise_id, id)
    );
    CREATE INDEX expert_invitations_ticket ON expert_invitations (ticket_id, created_at);

    ALTER TABLE room_peers DROP CONSTRAINT room_peers_role_check,
      ADD CONSTRAINT room_peers_role_check CHECK (role IN (${roles}, 'expert'));
    ALTER TABLE stays DROP CONSTRAINT stays_role_check,
      ADD CONSTRAINT stays_role_check CHECK (role IN (${roles}, 'expert'));
    ALTER TABLE templates DROP CONSTRAINT templates_kind_check,
      ADD CONSTRAINT templates_kind_check CHECK (kind IN (${kinds}, 'expert'));
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    DELETE FROM templates WHERE kind = 'expert';
    ALTER TABLE templates DROP CONSTRAINT templates_kind_check,
      ADD CONSTRAINT templates_kind_check CHECK (kind IN (${kinds}));
    DELETE FROM room_peers WHERE role = 'expert';
    ALTER TABLE room_peers DROP CONSTRAINT room_peers_role_check,
      ADD CONSTRAINT room_peers_role_check CHECK (role IN (${roles}));
    UPDATE stays SET role = 'participant' WHERE role = 'expert';
    ALTER TABLE stays DROP CONSTRAINT stays_role_check,
      ADD CONSTRAINT stays_role_check CHECK (role IN (${roles}));
    DROP TABLE expert_invitations;
  `);
};
