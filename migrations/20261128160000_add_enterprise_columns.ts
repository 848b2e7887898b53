import type { Knex } from "knex";
import { lockTables } from "./20261127100100_rename_old_names.ts";

/**
 * The statements below name a column as the first one renamed it, and change a table that a view hides
 * until the second one.
 */
export const needs = ["20261127100100_rename_old_names", "20261127120100_rename_told_columns"];

/** Tables without the enterprise of their rows, and how to find it for the row `NEW`. */
export const ownedTables = {
  attempts: `SELECT d.enterprise_id FROM public.deliveries d WHERE d.id = NEW.delivery_id`,
  subscription_health: `SELECT s.enterprise_id FROM public.subscriptions s
    WHERE s.id = NEW.subscription_id`,
  alert_states: `SELECT s.enterprise_id FROM public.subscriptions s WHERE s.id = NEW.subscription_id`,
  outbox_dead: `SELECT e.enterprise_id FROM public.events e
    WHERE e.id = NEW.event_row_id AND e.occurred_at = NEW.occurred_at`,
} as const;

const tables = Object.keys(ownedTables).map((table) => `public.${table}`);

/**
 * Adds the column by which the tables of the pipeline could be distributed over several servers.
 * Changes the catalog only.
 */
export const up = async (knex: Knex): Promise<void> => {
  await lockTables(knex, tables);
  for (const table of tables) {
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN enterprise_id bigint`);
  }
  await createTriggers(knex);
};

export const down = async (knex: Knex): Promise<void> => {
  await lockTables(knex, tables);
  await dropTriggers(knex);
  for (const table of tables) {
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN enterprise_id`);
  }
};

/** For processes that do not know the column yet. */
export async function createTriggers(knex: Knex): Promise<void> {
  for (const [table, enterprise] of Object.entries(ownedTables)) {
    await knex.raw(`
      CREATE OR REPLACE FUNCTION public.set_enterprise_of_${table}() RETURNS trigger LANGUAGE plpgsql
      AS $$
      BEGIN
        NEW.enterprise_id := (${enterprise});
        RETURN NEW;
      END $$;
      CREATE OR REPLACE TRIGGER set_enterprise BEFORE INSERT ON public.${table} FOR EACH ROW
        WHEN (NEW.enterprise_id IS NULL) EXECUTE FUNCTION public.set_enterprise_of_${table}()`);
  }
}

export async function dropTriggers(knex: Knex): Promise<void> {
  for (const table of Object.keys(ownedTables)) {
    await knex.raw(`DROP TRIGGER IF EXISTS set_enterprise ON public.${table};
      DROP FUNCTION IF EXISTS public.set_enterprise_of_${table}()`);
  }
}
