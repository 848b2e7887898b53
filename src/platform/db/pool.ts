import { createHash } from "node:crypto";
import knex, { type Knex } from "knex";
import pg from "pg";
import type { Logger } from "../logger.ts";
import { withTimeout } from "../concurrency/async.ts";

/** A connection pool. Each statement on it is its own transaction. */
export type Db = Knex;

/** An open transaction. Functions that must run inside one take this type only. */
export type Trx = Knex.Transaction;

/** Either of them: for statements that are correct alone and inside a transaction. */
export type Queryable = Db | Trx;

const int8 = 20;

export type PoolOptions = {
  url: string;
  maxConnections: number;
  /** Shown in pg_stat_activity for operators. */
  name: string;
  statementTimeoutMs?: number;
  /**
   * Plans only for index lookups, in the order that a statement is written in. For pools of prepared
   * statements that touch few rows: a plan that was made while a table was small would otherwise
   * read all of it until the next ANALYZE.
   */
  isIndexedOnly?: boolean;
  /**
   * The target of Knex's own messages. Without it they are dropped, because errors are thrown
   * anyway.
   */
  log?: Pick<Logger, "debug" | "warn">;
};

/** A connection outside of any pool, for example to hold a session lock. */
export type Session = {
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Resolves when the connection has ended for any reason. Never rejects. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

/**
 * The numbers of all Postgres advisory locks. They must be distinct, and the same in every process.
 */
export const advisoryLocks = {
  migration: 7_233_001,
  relay: 7_233_002,
  firstStart: 7_233_003,
  dataDir: 7_233_004,
} as const;

/** Opens a pool. It connects lazily. */
export function openPool(options: PoolOptions): Db {
  return knex({
    client: "pg",
    connection: connectionOptions(options),
    pool: {
      min: 0,
      max: options.maxConnections,
      ...(options.isIndexedOnly === true ? { afterCreate: planForIndexes } : {}),
    },
    acquireConnectionTimeout: 10_000,
    // By default Postgres searches a schema named like the role first, which may be the queue's.
    searchPath: ["public"],
    // Error messages are logged, and bindings may contain personal data and hashes.
    compileSqlOnError: false,
    log: knexLog(options.log),
  });
}

const indexedOnlySql = `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off;
  SET enable_hashjoin = off; SET enable_mergejoin = off`;

function planForIndexes(client: pg.Client, done: (error?: Error | null) => void): void {
  client.query(indexedOnlySql, (error?: Error | null) => done(error));
}

/** Redirects Knex's messages from the console to the log, which redacts secrets. */
function knexLog(log: PoolOptions["log"]) {
  const toText = (message: unknown): string =>
    message instanceof Error ? message.message : String(message);
  return {
    error: (message: unknown) => log?.warn({ reason: toText(message) }, "database.error"),
    warn: (message: unknown) => log?.warn({ reason: toText(message) }, "database.warning"),
    deprecate: (message: unknown) => log?.debug({ reason: toText(message) }, "database.deprecated"),
    debug: (message: unknown) => log?.debug({ reason: toText(message) }, "database.debug"),
  };
}

/** As `rowsOf`, for statements with named bindings such as `:now`. */
export async function namedRowsOf<Row>(
  db: Queryable,
  sql: string,
  bindings: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const result: { rows: Row[] } = await db.raw(sql, bindings as Knex.ValueDict);
  return result.rows;
}

/** As `preparedRowsOf`, for statements with named bindings. */
export async function preparedNamedRowsOf<Row>(
  db: Queryable,
  sql: string,
  bindings: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const statement = db.raw(sql, bindings as Knex.ValueDict).options({ name: nameOf(sql) });
  const result: { rows: Row[] } = await statement;
  return result.rows;
}

/**
 * Inserts one row with a prepared statement and returns its id. The keys of `row` are column names
 * from the code, with few combinations per table.
 */
export async function insertRow(
  db: Queryable,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<number> {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  const [inserted] = await preparedRowsOf<{ id: number }>(
    db,
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places}) RETURNING id`,
    Object.values(row),
  );
  if (inserted === undefined) {
    throw new Error(`The row was not inserted into ${table}`);
  }
  return inserted.id;
}

/**
 * As `rowsOf`, for fixed statements of the hot path: each connection parses and plans them once,
 * which is most of the cost of a small statement. The text must never vary, and must list its
 * columns: after a migration that adds a column, `SELECT *` would fail on open connections.
 */
export async function preparedRowsOf<Row>(
  db: Queryable,
  sql: string,
  bindings: readonly unknown[],
): Promise<Row[]> {
  const statement = db.raw(sql, bindings as Knex.RawBinding[]).options({ name: nameOf(sql) });
  const result: { rows: Row[] } = await statement;
  return result.rows;
}

const statementNames = new Map<string, string>();

function nameOf(sql: string): string {
  const known = statementNames.get(sql);
  if (known !== undefined) {
    return known;
  }
  const name = `s_${createHash("sha256").update(sql).digest("base64url").slice(0, 22)}`;
  statementNames.set(sql, name);
  return name;
}

/** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction(work);
}

/** The database's clock, in milliseconds since the epoch. */
export async function readClockMs(db: Db): Promise<number> {
  const [row] = await rowsOf<{ ms: number }>(
    db,
    "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS double precision) AS ms",
  );
  return row?.ms ?? Date.now();
}

/** The rows of a raw statement. The caller declares their type. */
export async function rowsOf<Row>(
  db: Queryable,
  sql: string,
  bindings: readonly unknown[] = [],
): Promise<Row[]> {
  const result: { rows: Row[] } = await db.raw(sql, bindings as Knex.RawBinding[]);
  return result.rows;
}

const closeTimeoutMs = 1_000;

/** Connects once. Rejects with the driver's error, whose `code` tells the reason. */
export async function openSession(options: PoolOptions): Promise<Session> {
  const client = new pg.Client(connectionOptions(options));
  const ended = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.once("end", () => resolve());
  });
  try {
    await client.connect();
  } catch (thrown) {
    void client.end().catch(() => undefined);
    throw thrown;
  }
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const result = await client.query(sql, [...values]);
      return result.rows as Row[];
    },
    ended,
    close: async () => {
      const end = client.end().catch(() => undefined);
      await withTimeout(Promise.race([end, ended]), closeTimeoutMs, "").catch(() => undefined);
    },
  };
}

/** Ids and counters in bigint columns stay below 2^53, so they are parsed as numbers. */
const types = {
  getTypeParser: (oid: number, format?: string): ((value: string) => unknown) =>
    oid === int8
      ? Number
      : (pg.types.getTypeParser(oid, format as "text") as (v: string) => unknown),
};

/** Connection options for node-postgres; also used for LISTEN connections. */
export function connectionOptions({ url, name, statementTimeoutMs = 15_000 }: PoolOptions) {
  return {
    connectionString: url,
    application_name: `sightline ${name}`,
    statement_timeout: statementTimeoutMs,
    // Slightly longer than the server's own limit, in case the server no longer responds.
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 2_000,
    idle_in_transaction_session_timeout: 10_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
  };
}
