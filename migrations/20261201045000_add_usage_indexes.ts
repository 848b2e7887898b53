import type { Knex } from "knex";

/** The indexes are built without blocking writes. After a crash it starts again. */
export const config = { transaction: false };

/** For the usage of an enterprise in a period, which read all its sessions and SMS. */
const indexes = [
  ["sessions_started", "public.sessions (enterprise_id, started_at)"],
  ["messages_sent", "public.messages (enterprise_id, sent_at) WHERE channel = 'sms'"],
] as const;

export const up = async (knex: Knex): Promise<void> => {
  for (const [name, definition] of indexes) {
    // An interrupted build leaves an invalid index.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS public.${name}`);
    await knex.raw(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
  }
};

export const down = async (knex: Knex): Promise<void> => {
  for (const [name] of indexes) {
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS public.${name}`);
  }
};
