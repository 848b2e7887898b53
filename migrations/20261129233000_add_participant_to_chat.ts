import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- Who wrote the message, as in \`RoomPeer\`. NULL: a process of an older version stored it.
    ALTER TABLE chat_messages ADD COLUMN participant text;
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw("ALTER TABLE chat_messages DROP COLUMN participant");
};
