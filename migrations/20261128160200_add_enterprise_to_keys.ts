import type { Knex } from "knex";
import { lockTables } from "./20261127100100_rename_old_names.ts";
import { ownedTables } from "./20261128160000_add_enterprise_columns.ts";

/**
 * Indexes are built, and foreign keys are checked, without blocking writes. In between, all keys are
 * replaced in one transaction, which changes the catalog only. After a crash it starts again.
 */
export const config = { transaction: false };

export const up = async (knex: Knex): Promise<void> => {
  await replaceKeys(knex, "new");
  await buildIndex(knex, talliesKey, "new");
};

export const down = async (knex: Knex): Promise<void> => {
  await dropIndex(knex, talliesKey);
  await replaceKeys(knex, "old");
};

/** Without and with the enterprise, which comes last: lookups by id use the same index. */
type Version = "old" | "new";

type Key = {
  table: string;
  name: string;
  /** Without the enterprise. */
  columns: string;
  /** An index that is not a constraint has none. */
  constraint?: "PRIMARY KEY" | "UNIQUE";
  where?: string;
};

const primary = (table: string, columns: string): Key => ({
  table,
  name: `${table}_pkey`,
  columns,
  constraint: "PRIMARY KEY",
});

const keys: readonly Key[] = [
  primary("deliveries", "id"),
  {
    table: "deliveries",
    name: "deliveries_subscription_id_sequence_key",
    columns: "subscription_id, sequence",
    constraint: "UNIQUE",
  },
  {
    table: "deliveries",
    name: "deliveries_event",
    columns: "event_row_id, subscription_id",
    where: "WHERE replay_id IS NULL",
  },
  {
    table: "deliveries",
    name: "deliveries_replay",
    columns: "replay_id, event_row_id",
    where: "WHERE replay_id IS NOT NULL",
  },
  primary("outbox", "event_row_id"),
  primary("outbox_dead", "event_row_id"),
  primary("replays", "id"),
  primary("subscription_health", "subscription_id"),
  primary("subscription_revisions", "revision"),
  primary("subscriptions", "id"),
];

/** Replaced by the next migration: `ON CONFLICT` of the previous version needs the old one. */
export const talliesKey = primary("delivery_tallies", "subscription_id, step, at");

type Reference = {
  table: string;
  column: string;
  to: "subscriptions" | "replays";
  onDelete?: "ON DELETE CASCADE";
  /** The reference by enterprise and id exists already, beside the one by id. */
  isDouble?: boolean;
};

const cascading = (table: string): Reference => ({
  table,
  column: "subscription_id",
  to: "subscriptions",
  onDelete: "ON DELETE CASCADE",
});

const references: readonly Reference[] = [
  { table: "deliveries", column: "subscription_id", to: "subscriptions" },
  { table: "deliveries", column: "replay_id", to: "replays" },
  { table: "replays", column: "subscription_id", to: "subscriptions", isDouble: true },
  { table: "subscription_revisions", column: "subscription_id", to: "subscriptions" },
  ...["alert_states", "delivery_tallies", "subscription_health"].map(cascading),
];

/** Tables with few rows whose enterprise may be missing, and how to find it for the row `NEW`. */
const { attempts: _filledBefore, ...few } = ownedTables;
const nullable = { ...few, outbox: few.outbox_dead };

async function replaceKeys(knex: Knex, version: Version): Promise<void> {
  for (const key of keys) {
    await buildIndex(knex, key, version);
  }
  const tables = new Set([...keys, ...references].map(({ table }) => `public.${table}`));
  await knex.transaction(async (trx) => {
    await lockTables(trx, [...tables]);
    for (const reference of references) {
      await dropForeignKey(trx, reference);
    }
    if (version === "new") {
      await fill(trx);
    }
    for (const key of keys) {
      await swapIndex(trx, key);
    }
    await setNullable(trx, version);
    for (const reference of references) {
      await addForeignKey(trx, reference, version);
    }
  });
  for (const reference of references) {
    const name = nameOf(reference, version);
    await knex.raw(`ALTER TABLE public.${reference.table} VALIDATE CONSTRAINT ${name}`);
  }
}

/** Builds the index that will take the place of a key's. */
export async function buildIndex(knex: Knex, key: Key, version: Version): Promise<void> {
  const { table, name, columns, where = "" } = key;
  // An interrupted build leaves an invalid index.
  await dropIndex(knex, key);
  await knex.raw(`CREATE UNIQUE INDEX CONCURRENTLY ${name}_new
    ON public.${table} (${columns}${version === "new" ? ", enterprise_id" : ""}) ${where}`);
}

async function dropIndex(knex: Knex, { name }: Key): Promise<void> {
  await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS public.${name}_new`);
}

export async function swapIndex(trx: Knex, { table, name, constraint }: Key): Promise<void> {
  await trx.raw(
    constraint === undefined
      ? `DROP INDEX public.${name}; ALTER INDEX public.${name}_new RENAME TO ${name}`
      : `ALTER TABLE public.${table} DROP CONSTRAINT ${name};
         ALTER TABLE public.${table} ADD CONSTRAINT ${name} ${constraint} USING INDEX ${name}_new`,
  );
}

/**
 * Rows of the outbox without an enterprise were put back by hand. Those whose event was deleted
 * cannot be delivered, and are deleted too.
 */
async function fill(trx: Knex): Promise<void> {
  for (const [table, enterprise] of Object.entries(nullable)) {
    await trx.raw(`
      UPDATE public.${table} AS r SET enterprise_id = (${enterprise.replaceAll("NEW.", "r.")})
      WHERE enterprise_id IS NULL;
      DELETE FROM public.${table} WHERE enterprise_id IS NULL`);
  }
}

async function setNullable(trx: Knex, version: Version): Promise<void> {
  for (const table of Object.keys(nullable)) {
    await trx.raw(`ALTER TABLE public.${table} ALTER COLUMN enterprise_id
      ${version === "new" ? "SET" : "DROP"} NOT NULL`);
  }
}

function nameOf({ table, column }: Reference, version: Version): string {
  return version === "new" ? `${table}_enterprise_id_${column}_fkey` : `${table}_${column}_fkey`;
}

async function dropForeignKey(trx: Knex, reference: Reference): Promise<void> {
  const versions: Version[] = reference.isDouble === true ? ["old"] : ["old", "new"];
  for (const version of versions) {
    await trx.raw(`ALTER TABLE public.${reference.table}
      DROP CONSTRAINT IF EXISTS ${nameOf(reference, version)}`);
  }
}

async function addForeignKey(trx: Knex, reference: Reference, version: Version): Promise<void> {
  const { table, column, to, onDelete = "", isDouble } = reference;
  if (version === "new" && isDouble === true) {
    return;
  }
  const enterprise = version === "new" ? "enterprise_id, " : "";
  await trx.raw(`ALTER TABLE public.${table} ADD CONSTRAINT ${nameOf(reference, version)}
    FOREIGN KEY (${enterprise}${column}) REFERENCES public.${to} (${enterprise}id) ${onDelete} NOT VALID`);
}
