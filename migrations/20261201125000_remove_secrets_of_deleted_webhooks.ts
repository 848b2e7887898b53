import type { Knex } from "knex";

/**
 * Deleting a webhook kept its signing secrets. Empty bytes cannot be decrypted: a process of the
 * version before that still has a delivery of such a webhook sends nothing.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(
    `UPDATE subscriptions SET secret_sealed = '', keys_sealed = NULL
     WHERE deleted_at IS NOT NULL AND secret_sealed <> ''`,
  );
};

/** Removed secrets do not come back. */
export const down = async (): Promise<void> => undefined;
