import type { Knex } from "knex";

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    -- decline: the room token of this visit is no longer valid.
    ALTER TABLE guest_answers
      DROP CONSTRAINT guest_answers_kind_check,
      ADD CONSTRAINT guest_answers_kind_check
        CHECK (kind IN ('devices', 'accept', 'position', 'decline'));
  `);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    DELETE FROM guest_answers WHERE kind = 'decline';
    ALTER TABLE guest_answers
      DROP CONSTRAINT guest_answers_kind_check,
      ADD CONSTRAINT guest_answers_kind_check CHECK (kind IN ('devices', 'accept', 'position'));
  `);
};
