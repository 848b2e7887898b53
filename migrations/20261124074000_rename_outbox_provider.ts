import type { Knex } from "knex";

/** `outbox` is the table of events only: the provider that sends nothing is called `dev`. */
export const up = async (knex: Knex): Promise<void> => {
  await renameProvider(knex, { from: "outbox", to: "dev" });
};

export const down = async (knex: Knex): Promise<void> => {
  await renameProvider(knex, { from: "dev", to: "outbox" });
};

async function renameProvider(knex: Knex, { from, to }: { from: string; to: string }) {
  await knex.raw(`
    ALTER TABLE enterprises
      DROP CONSTRAINT enterprises_mail_provider_check,
      DROP CONSTRAINT enterprises_sms_provider_check;
    UPDATE enterprises SET mail_provider = '${to}' WHERE mail_provider = '${from}';
    UPDATE enterprises SET sms_provider = '${to}' WHERE sms_provider = '${from}';
    ALTER TABLE enterprises
      ADD CONSTRAINT enterprises_mail_provider_check CHECK (mail_provider IN ('smtp', '${to}')),
      ADD CONSTRAINT enterprises_sms_provider_check
        CHECK (sms_provider IN ('http', 'twilio', '${to}'));
    UPDATE messages SET provider = '${to}' WHERE provider = '${from}';
  `);
}
