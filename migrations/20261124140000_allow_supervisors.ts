import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Supervisors watch a call: they have a page in the room, but no participation.
    ALTER TABLE room_peers
      DROP CONSTRAINT room_peers_role_check,
      ADD CONSTRAINT room_peers_role_check CHECK (role IN
        ('agent', 'requestor', 'organizer', 'moderator', 'participant', 'expert', 'supervisor'));
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    DELETE FROM room_peers WHERE role = 'supervisor';
    ALTER TABLE room_peers
      DROP CONSTRAINT room_peers_role_check,
      ADD CONSTRAINT room_peers_role_check CHECK (role IN
        ('agent', 'requestor', 'organizer', 'moderator', 'participant', 'expert'));
  `);
};
