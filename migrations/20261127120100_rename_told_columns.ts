import type { Knex } from "knex";
import { invert, lockTables, renameAll } from "./20261127100100_rename_old_names.ts";
import {
  down as dropView,
  renamed,
  up as createView,
  viewsSchema,
} from "./20261127120000_add_notified_columns.ts";

/** Processes of the previous version use the old names. */
export const notInRunOf = "20261127120000_add_notified_columns";

/** Changes the catalog only, no rows. */
export const up = async (knex: Knex): Promise<void> => {
  await lockTables(knex, [`${viewsSchema}.${renamed.to}`]);
  await dropView(knex);
  await renameAll(knex, [renamed]);
};

export const down = async (knex: Knex): Promise<void> => {
  await lockTables(knex, [`public.${renamed.to}`]);
  await renameAll(knex, [invert(renamed)]);
  await createView(knex);
};
