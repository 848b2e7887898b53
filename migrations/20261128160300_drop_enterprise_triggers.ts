import type { Knex } from "knex";
import { lockTables } from "./20261127100100_rename_old_names.ts";
import {
  createTriggers,
  dropTriggers,
  ownedTables,
} from "./20261128160000_add_enterprise_columns.ts";
import {
  buildIndex,
  swapIndex,
  talliesKey,
  type Version,
} from "./20261128160200_add_enterprise_to_keys.ts";

/** Processes of the previous version do not set the new columns, and tally by the old key. */
export const notInRunOf = "20261128160000_add_enterprise_columns";

/** The indexes are built without blocking writes. After a crash it starts again. */
export const config = { transaction: false };

export const up = (knex: Knex): Promise<void> => replaceKey(knex, "new", dropTriggers);

export const down = async (knex: Knex): Promise<void> => {
  await replaceKey(knex, "old", createTriggers);
  await buildIndex(knex, talliesKey, "new");
};

async function replaceKey(
  knex: Knex,
  version: Version,
  changeTriggers: (trx: Knex) => Promise<void>,
): Promise<void> {
  await buildIndex(knex, talliesKey, version);
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
