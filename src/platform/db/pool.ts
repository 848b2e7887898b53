import { createHash } from "node:crypto";
import knex, { type Knex } from "knex";
import pg from "pg";
import type { Logger } from "../logger.ts";
import { withTimeout } from "../concurrency/sleep.ts";

/** The pool. Statements on it are transactions of their own. */
export type Db = Knex;

/** An open transaction. What must be told to the world takes one of these and nothing else. */
export type Trx = Knex.Transaction;

/** Either of the two: for statements that are right alone as well as inside a transaction. */
export type Queryable = Db | Trx;

const int8 = 20;

export type PoolOptions = {
  url: string;
  maxConnections: number;
  /** Shown in pg_stat_activity, so that an operator sees whose connection it is. */
  name: string;
  statementTimeoutMs?: number;
  /** Where Knex's own messages go. Without it they are dropped: errors are thrown anyway. */
  log?: Pick<Logger, "debug" | "warn">;
};

/** One connection outside any pool, for what lives as long as a connection: a session lock. */
export type Session = {
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Resolves when the connection is over, whoever ended it. Never rejects. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

/**
 * The numbers of Postgres advisory locks, in one place: two uses of one number would wait for each
 * other. Any numbers do, as long as every process has the same.
 */
export const advisoryLocks = {
  migration: 7_233_001,
  relay: 7_233_002,
  firstStart: 7_233_003,
  dataDir: 7_233_004,
} as const;

/** Opens a pool. Connections are made when they are first needed. */
export function openPool(options: PoolOptions): Db {
  return knex({
    client: "pg",
    connection: connectionOptions(options),
    pool: { min: 0, max: options.maxConnections },
    acquireConnectionTimeout: 10_000,
    // Postgres looks into a schema named like the role first, and the queue's schema may be that.
    searchPath: ["public"],
    // Messages of errors are logged: with the bindings they would hold personal data and hashes.
    compileSqlOnError: false,
    log: knexLog(options.log),
  });
}

/** Knex would write to the console, past the log and its redaction. */
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

/** As `rowsOf`, for statements whose bindings have names: `:now`. */
export async function namedRowsOf<Row>(
  db: Queryable,
  sql: string,
  bindings: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const result: { rows: Row[] } = await db.raw(sql, bindings as Knex.ValueDict);
  return result.rows;
}

/**
 * Inserts one row by a prepared statement. Out: its id. The members of `row` are columns: names of
 * ours, and for one table always the same few sets of them.
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
 * which is most of what a small statement costs. Only for texts that never vary, and that name
 * their columns: after a migration that adds a column, `SELECT *` would fail on open connections.
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

/** The rows of a raw statement, typed by the caller who wrote the statement. */
export async function rowsOf<Row>(
  db: Queryable,
  sql: string,
  bindings: readonly unknown[] = [],
): Promise<Row[]> {
  const result: { rows: Row[] } = await db.raw(sql, bindings as Knex.RawBinding[]);
  return result.rows;
}

const closeTimeoutMs = 1_000;

/** Connects once; rejects with the driver's error (its `code` tells why) where that fails. */
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

/** bigint columns hold ids and counters below 2^53, so they come as numbers, not as strings. */
const types = {
  getTypeParser: (oid: number, format?: string): ((value: string) => unknown) =>
    oid === int8
      ? Number
      : (pg.types.getTypeParser(oid, format as "text") as (v: string) => unknown),
};

/** Options of one connection as node-postgres takes them; also used for LISTEN connections. */
export function connectionOptions({ url, name, statementTimeoutMs = 15_000 }: PoolOptions) {
  return {
    connectionString: url,
    application_name: `sightline ${name}`,
    statement_timeout: statementTimeoutMs,
    // A little longer than the server's own limit: for a server that keeps its port but not its word.
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 2_000,
    idle_in_transaction_session_timeout: 10_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
  };
}
