import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Routing of media in a service's calls; auto: mesh, then LiveKit from the fourth person.
    ALTER TABLE services
      ADD COLUMN room_backend text NOT NULL DEFAULT 'auto'
        CHECK (room_backend IN ('auto', 'mesh', 'livekit'));

    -- The route of a session, the same for all web processes. fallback: a mesh until the end,
    -- because LiveKit could not be reached.
    ALTER TABLE sessions
      ADD COLUMN media_route text NOT NULL DEFAULT 'mesh'
        CHECK (media_route IN ('mesh', 'livekit', 'fallback'));
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    ALTER TABLE sessions DROP COLUMN media_route;
    ALTER TABLE services DROP COLUMN room_backend;
  `);
};
