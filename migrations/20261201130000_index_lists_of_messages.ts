import type { Knex } from "knex";

/** The indexes are built without blocking writes. After a crash they start again. */
export const config = { transaction: false };

export const up = async (knex: Knex): Promise<void> => {
  // An interrupted build leaves an invalid index.
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.messages_of_channel");
  // With is_private, the total of a list is counted without reading the messages.
  await knex.raw(`CREATE INDEX CONCURRENTLY messages_of_channel
    ON public.messages (enterprise_id, channel, created_at, id) INCLUDE (is_private)`);
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.messages_list");
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.messages_email_recipient");
  await knex.raw(`CREATE INDEX CONCURRENTLY messages_email_recipient
    ON public.messages (enterprise_id, recipient, created_at) WHERE channel = 'email'`);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_list
    ON public.messages (enterprise_id, channel, created_at, id)`);
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.messages_of_channel");
  await knex.raw("DROP INDEX CONCURRENTLY IF EXISTS public.messages_email_recipient");
};
