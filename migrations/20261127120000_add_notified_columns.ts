import type { Knex } from "knex";
import { createView, type RenamedTable } from "./20261127100000_add_new_names.ts";

/**
 * Not the schema of `add_new_names`: processes of the previous version search that one, and would
 * find the new names.
 */
export const viewsSchema = "sightline_next_2";

export const renamed: RenamedTable = {
  from: "alert_states",
  to: "alert_states",
  columns: {
    is_behind_told: "is_behind_notified",
    behind_told_at: "behind_notified_at",
    failing_told_at: "failing_notified_at",
    failed_told_at: "failed_notified_at",
  },
};

/** A view with the new names, until `rename_told_columns`. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`CREATE SCHEMA ${viewsSchema}`);
  await createView(knex, renamed, viewsSchema);
};

export const down = async (knex: Knex): Promise<void> => {
  await knex.raw(`DROP SCHEMA ${viewsSchema} CASCADE`);
};
