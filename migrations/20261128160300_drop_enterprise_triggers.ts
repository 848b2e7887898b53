import type { Knex } from "knex";
import { lockTables } from "./20261127100100_rename_old_names.ts";
import {
  createTriggers,
  dropTriggers,
  ownedTables,
} from "./20261128160000_add_enterprise_columns.ts";
import { buildIndex, swapIndex, talliesKey } from "./20261128160200_add_enterprise_to_keys.ts";

/**
 * Processes of the previous version do not set the new columns, and tally by the old key. It follows the
 * last of the migrations before: a run that repeats them after a crash must not apply this one too.
 */
export const notInRunOf = "20261128160200_add_enterprise_to_keys";

/** The indexes are built without blocking writes. After a crash it starts again. */
export const config = { transaction: false };

export const up = async (knex: Knex): Promise<void> => {
  // `ON CONFLICT` of running processes needs the index of the migration before.
  if (!(await isBuilt(knex))) {
    await buildIndex(knex, talliesKey, "new");
  }
  await replaceKey(knex, dropTriggers);
};

export const down = async (knex: Knex): Promise<void> => {
  await buildIndex(knex, talliesKey, "old");
  await replaceKey(knex, createTriggers);
  await buildIndex(knex, talliesKey, "new");
};

/** Whether the new index of `delivery_tallies` is complete and has the enterprise. */
async function isBuilt(knex: Knex): Promise<boolean> {
  const { table, name } = talliesKey;
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `SELECT FROM pg_index i
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(CAST(i.indkey AS smallint[]))
     WHERE i.indrelid = CAST(? AS regclass) AND i.indexrelid = to_regclass(?) AND i.indisvalid
       AND a.attname = 'enterprise_id'`,
    [`public.${table}`, `public.${name}_new`],
  );
  return rows.length > 0;
}

async function replaceKey(knex: Knex, changeTriggers: (trx: Knex) => Promise<void>): Promise<void> {
  const tables = [...Object.keys(ownedTables), talliesKey.table];
  await knex.transaction(async (trx) => {
    await lockTables(
      trx,
      tables.map((table) => `public.${table}`),
    );
    await swapIndex(trx, talliesKey);
    await changeTriggers(trx);
  });
}
