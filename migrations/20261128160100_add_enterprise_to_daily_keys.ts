import type { Knex } from "knex";
import { lockTables } from "./20261127100100_rename_old_names.ts";

/**
 * Rows are filled, and the index of each partition is built, without blocking writes. Then a table gets
 * its new key in one transaction, which changes the catalog only. After a crash it starts again.
 */
export const config = { transaction: false };

/** The enterprise comes last, so that lookups by id use the same index. */
const dailyKeys: readonly DailyKey[] = [
  { table: "events", columns: "id, occurred_at" },
  { table: "attempts", columns: "id, started_at" },
];

export const up = async (knex: Knex): Promise<void> => {
  const filled = new Set<string>();
  await forEachPartition(knex, { table: "attempts", done: filled, work: fillPartition });
  await addCheck(knex, "attempts");
  // A transaction that was moving rows may have added a partition. Since the check, none can.
  await forEachPartition(knex, { table: "attempts", done: filled, work: fillPartition });
  await setNotNull(knex, "attempts");
  for (const { table, columns } of dailyKeys) {
    await replaceKey(knex, { table, columns: `${columns}, enterprise_id` });
  }
};

export const down = async (knex: Knex): Promise<void> => {
  for (const key of dailyKeys.toReversed()) {
    await replaceKey(knex, key);
  }
  await knex.raw("ALTER TABLE public.attempts ALTER COLUMN enterprise_id DROP NOT NULL");
};

/** The primary key of a partitioned table. */
type DailyKey = { table: "events" | "attempts"; columns: string };

/** Locks of a batch are held for about 100 ms. */
const batchSize = 5_000;

type PartitionWork = {
  table: DailyKey["table"];
  /** Names of partitions. */
  done: Set<string>;
  work: (knex: Knex, partition: string) => Promise<void>;
};

/** Includes partitions that processes add meanwhile, and adds all to `done`. */
async function forEachPartition(knex: Knex, { table, done, work }: PartitionWork): Promise<void> {
  for (;;) {
    const partition = (await listPartitions(knex, table)).find((name) => !done.has(name));
    if (partition === undefined) {
      return;
    }
    await work(knex, partition);
    done.add(partition);
  }
}

/** The trigger of the migration before sets the column of new rows. */
async function fillPartition(knex: Knex, partition: string): Promise<void> {
  let after: number | null = 0;
  while (after !== null) {
    after = await fillBatch(knex, partition, after);
  }
}

/**
 * Attempts whose delivery was deleted, because it was older than the retention, are deleted too:
 * nothing can show them. Returns the last id of the batch; null if there was none.
 */
async function fillBatch(knex: Knex, partition: string, after: number): Promise<number | null> {
  const { rows } = await knex.raw<{ rows: [{ last: number | null }] }>(
    `SELECT max(id) AS last FROM (
       SELECT id FROM public.${partition} WHERE id > ? ORDER BY id LIMIT ${batchSize}) AS batch`,
    [after],
  );
  const [{ last }] = rows;
  if (last !== null) {
    await knex.transaction((trx) => fillRange(trx, partition, [after, last]));
  }
  return last;
}

async function fillRange(trx: Knex, partition: string, range: [number, number]): Promise<void> {
  // A hash join would read all deliveries for each batch.
  await trx.raw("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off");
  await trx.raw(
    `UPDATE public.${partition} a SET enterprise_id = d.enterprise_id FROM public.deliveries d
     WHERE d.id = a.delivery_id AND a.id > ? AND a.id <= ? AND a.enterprise_id IS NULL`,
    range,
  );
  await trx.raw(
    `DELETE FROM public.${partition} a
     WHERE a.id > ? AND a.id <= ? AND a.enterprise_id IS NULL
       AND NOT EXISTS (SELECT FROM public.deliveries d WHERE d.id = a.delivery_id)`,
    range,
  );
}

async function listPartitions(knex: Knex, table: string): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = CAST(? AS regclass) ORDER BY 1`,
    [`public.${table}`],
  );
  return rows.map(({ name }) => name);
}

function checkOf(table: string): string {
  return `${table}_enterprise_id_check`;
}

/** For new rows only. */
async function addCheck(knex: Knex, table: string): Promise<void> {
  const check = checkOf(table);
  await knex.transaction(async (trx) => {
    await lockTables(trx, [`public.${table}`]);
    await trx.raw(`ALTER TABLE public.${table} DROP CONSTRAINT IF EXISTS ${check};
      ALTER TABLE public.${table} ADD CONSTRAINT ${check}
        CHECK (enterprise_id IS NOT NULL) NOT VALID`);
  });
}

/** The rows are checked without a lock, so that the column needs no check under one. */
async function setNotNull(knex: Knex, table: string): Promise<void> {
  const check = checkOf(table);
  await knex.raw(`ALTER TABLE public.${table} VALIDATE CONSTRAINT ${check}`);
  await knex.transaction(async (trx) => {
    await lockTables(trx, [`public.${table}`]);
    await trx.raw(`ALTER TABLE public.${table} ALTER COLUMN enterprise_id SET NOT NULL;
      ALTER TABLE public.${table} DROP CONSTRAINT ${check}`);
  });
}

async function replaceKey(knex: Knex, key: DailyKey): Promise<void> {
  const { table, columns } = key;
  const built = new Set<string>();
  const build = async (_knex: Knex, partition: string): Promise<void> => {
    // An interrupted build leaves an invalid index.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS public.${partition}_pkey_new`);
    await knex.raw(`CREATE UNIQUE INDEX CONCURRENTLY ${partition}_pkey_new
      ON public.${partition} (${columns})`);
  };
  await forEachPartition(knex, { table, done: built, work: build });
  await knex.transaction(async (trx) => {
    await lockTables(trx, [`public.${table}`]);
    await trx.raw(`ALTER TABLE public.${table} DROP CONSTRAINT ${table}_pkey`);
    // The retention may have dropped a partition.
    const kept = await listPartitions(trx, table);
    for (const partition of kept.filter((name) => built.has(name))) {
      await trx.raw(`ALTER TABLE public.${partition} ADD CONSTRAINT ${partition}_pkey
        PRIMARY KEY USING INDEX ${partition}_pkey_new`);
    }
    // Takes over these constraints, and creates those of partitions that were added meanwhile.
    await trx.raw(
      `ALTER TABLE public.${table} ADD CONSTRAINT ${table}_pkey PRIMARY KEY (${columns})`,
    );
  });
}
