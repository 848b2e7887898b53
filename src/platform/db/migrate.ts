import type { Knex } from "knex";
import { chooseHeld, listHeld, type HoldBack } from "./held-back.ts";
import { sleep } from "../concurrency/async.ts";
import type { Logger } from "../logger.ts";
import {
  lockTimeoutMs,
  lockWaitsSql,
  reportLockWaits,
  retryOnLockTimeout,
  type LockWait,
} from "./lock-waits.ts";
import {
  listApplied,
  listMigrations,
  listPending,
  loadMigration,
  migrationsTable,
} from "./migration-list.ts";
import { advisoryLocks, rowsOf, tablesSchema, type Db } from "./pool.ts";

export type MigrationStatus = { applied: string[]; pending: string[] };

export type MigrateOptions = {
  /** Without it nobody learns what a run waits for. */
  log?: Pick<Logger, "warn">;
  /** How long a migration is tried while others use its tables. */
  giveUpAfterMs?: number;
  /** Ends the wait for a table or for another run. */
  signal?: AbortSignal | undefined;
  /** When the replacement of the processes began that this run repeats: both count as one run. */
  replacementBeganAt?: Date | undefined;
  /** Default: `always`. */
  holdBack?: HoldBack;
};

const defaultGiveUpMs = 5 * 60_000;

/**
 * Applies the pending migrations, except those that wait for a later run. Safe in several processes
 * at once, because of a lock. Each is applied alone: in one transaction with its row in Knex's table.
 * With several at once, of which one has no transaction, Knex would commit each before its row. All
 * in one transaction would hold the locks of many tables. On crash: the next run continues.
 *
 * A migration in a transaction waits for locks only briefly, and is then repeated: all queries of a
 * table queue behind a statement that waits for it, for example for the end of a `pg_dump`. The others
 * do not block queries while they wait: see `lockTables` in the migrations.
 *
 * Throws `SkippedVersion`, before it changes anything, if it holds back what another one needs.
 */
export async function migrateUp(
  db: Db,
  {
    log,
    giveUpAfterMs = defaultGiveUpMs,
    signal,
    replacementBeganAt,
    holdBack = "always",
  }: MigrateOptions = {},
): Promise<string[]> {
  // Before the lock, so that runs at the same time count as one.
  const before = await listApplied(db, replacementBeganAt);
  const apply = async (hasWaited: boolean): Promise<string[]> => {
    const missing = await listPending(await listApplied(db), () => true);
    const wanted = await listHeld(db, hasWaited ? undefined : before);
    const held = await chooseHeld(wanted, missing, holdBack).catch((thrown: unknown) => {
      throw hasWaited ? new Error("Another run of release was under way. Run it again.") : thrown;
    });
    const pending = missing.filter((name) => !held.includes(name));
    const applied: string[] = [];
    let firstBatch: number | undefined;
    for (const name of pending) {
      applied.push(name);
      const later = pending.slice(applied.length);
      const [batch] = (await retryOnLockTimeout(
        () => db.migrate.latest(options([...held, ...later])),
        { giveUpAfterMs, signal },
      )) as [number, string[]];
      firstBatch ??= batch;
      await joinBatch(db, { from: batch, to: firstBatch });
    }
    return applied;
  };
  return withLock(db, apply, { ...(log && { log }), signal });
}

/** `migrateDown` reverts a batch: it must hold all migrations of a run. */
async function joinBatch(db: Db, { from, to }: { from: number; to: number }): Promise<void> {
  if (from !== to) {
    await rowsOf(db, "UPDATE public.schema_migrations SET batch = ? WHERE batch = ?", [to, from]);
  }
}

/**
 * Runs `work` in one process at a time. Knex marks its own lock in a row, which a crash leaves
 * marked: the holder of the advisory lock may clear it.
 */
async function withLock<T>(
  db: Db,
  work: (hasWaited: boolean) => Promise<T>,
  { log, signal }: MigrateOptions = {},
): Promise<T> {
  const connection: unknown = await db.client.acquireConnection();
  const query: Query = async <Row>(sql: string, bindings: readonly number[] = []) =>
    ((await db.raw(sql, bindings).connection(connection)) as { rows: Row[] }).rows;
  try {
    const hasWaited = await lock(query, log, signal);
    await db.migrate.forceFreeMigrationsLock(options());
    return await reportLockWaits({ find: () => query<LockWait>(lockWaitsSql), log }, () =>
      work(hasWaited),
    );
  } finally {
    await db.raw("SELECT pg_advisory_unlock(?)", [advisoryLocks.migration]).connection(connection);
    await db.client.releaseConnection(connection);
  }
}

/** Runs a statement on the connection that has the lock. */
type Query = <Row>(sql: string, bindings?: readonly number[]) => Promise<Row[]>;

const lockRetryMs = 100;

/**
 * Polls the lock. A statement that waits for the lock would hold a snapshot, and `CREATE INDEX
 * CONCURRENTLY` in the process that has the lock would wait for it: a deadlock. True if another process
 * had the lock.
 */
async function lock(
  query: Query,
  log: MigrateOptions["log"],
  signal: MigrateOptions["signal"],
): Promise<boolean> {
  for (let hasWaited = false; ; hasWaited = true) {
    const [row] = await query<{ won: boolean }>("SELECT pg_try_advisory_lock(?) AS won", [
      advisoryLocks.migration,
    ]);
    if (row?.won === true) {
      return hasWaited;
    }
    if (!hasWaited) {
      const [holder] = await query<{ pid: number }>(lockHolderSql, [advisoryLocks.migration]);
      log?.warn({ pid: holder?.pid }, "release.waits_for_other");
    }
    await sleep(lockRetryMs, signal);
    signal?.throwIfAborted();
  }
}

const lockHolderSql = `
  SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = ?
    AND d.datname = current_database()`;

/** Reverts all migrations; for tests. Production reverts one batch at a time. */
export async function migrateDownAll(db: Db): Promise<void> {
  await withLock(db, () => db.migrate.rollback(options(), true));
}

/** Reverts the newest batch. Returns the names. */
export async function migrateDown(db: Db): Promise<string[]> {
  const [, reverted] = (await withLock(db, () => db.migrate.rollback(options()))) as [
    number,
    string[],
  ];
  return reverted;
}

/**
 * Whether the schema of this build is applied, except for what a later run may apply. Cheap enough
 * for a readiness probe.
 */
export async function isSchemaCurrent(db: Db): Promise<boolean> {
  const applied = await listApplied(db);
  const required = await listPending(applied, ({ notInRunOf }) => notInRunOf === undefined);
  return required.length === 0;
}

/** Applied and pending migrations. Read only. */
export async function migrationStatus(db: Db): Promise<MigrationStatus> {
  const applied = await listApplied(db);
  return { applied, pending: await listPending(applied, () => true) };
}

function options(held: readonly string[] = []): Knex.MigratorConfig {
  const getMigrations = async () => (await listMigrations()).filter((name) => !held.includes(name));
  return {
    migrationSource: { ...migrationSource, getMigrations },
    tableName: migrationsTable,
    schemaName: tablesSchema,
  };
}

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: listMigrations,
  getMigrationName: (stem) => stem,
  getMigration: async (stem) => {
    const { up, down, ...rest } = await loadMigration(stem);
    if (rest.config?.transaction === false) {
      return { ...rest, up, ...(down && { down }) };
    }
    return { ...rest, up: onTables(limitLockWaits(up)), ...(down && { down: onTables(down) }) };
  },
};

/** Migrations see no views, and create their tables beside the others. */
function onTables(migrate: Knex.Migration["up"]): Knex.Migration["up"] {
  return async (knex) => {
    await knex.raw(`SET LOCAL search_path TO ${tablesSchema}`);
    await migrate(knex);
  };
}

/** For one transaction. */
function limitLockWaits(migrate: Knex.Migration["up"]): Knex.Migration["up"] {
  return async (knex) => {
    await knex.raw(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
    await migrate(knex);
  };
}
