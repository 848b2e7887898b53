import knex, { type Knex } from "knex";
import pg from "pg";

/** The pool. Statements on it are transactions of their own. */
export type Db = Knex;
/** An open transaction. What must be told to the world takes one of these and nothing else. */
export type Trx = Knex.Transaction;
/** Either of the two: for statements that are right alone as well as inside a transaction. */
export type Queryable = Db | Trx;

const int8 = 20;

/** bigint columns hold ids and counters below 2^53, so they come as numbers, not as strings. */
const types = {
  getTypeParser: (oid: number, format?: string): ((value: string) => unknown) =>
    oid === int8 ? Number : (pg.types.getTypeParser(oid, format as "text") as (v: string) => unknown),
};

export type PoolOptions = {
  url: string;
  maxConnections: number;
  /** Shown in pg_stat_activity, so that an operator sees whose connection it is. */
  name: string;
  statementTimeoutMs?: number;
};

/** Options of one connection as node-postgres takes them; also used for LISTEN connections. */
export const connectionOptions = ({ url, name, statementTimeoutMs = 15_000 }: PoolOptions) => ({
  connectionString: url,
  application_name: `sightline ${name}`,
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: 10_000,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  types,
});

/** Opens a pool. Connections are made when they are first needed. */
export const openPool = (options: PoolOptions): Db =>
  knex({
    client: "pg",
    connection: connectionOptions(options),
    pool: { min: 0, max: options.maxConnections },
    acquireConnectionTimeout: 10_000,
    // Messages of errors are logged: with the bindings they would hold personal data and hashes.
    compileSqlOnError: false,
  });

/** The rows of a raw statement, typed by the caller who wrote the statement. */
export const rowsOf = async <Row>(
  db: Queryable,
  sql: string,
  bindings: readonly unknown[] = [],
): Promise<Row[]> => {
  const result: { rows: Row[] } = await db.raw(sql, bindings as Knex.RawBinding[]);
  return result.rows;
};

/** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
export const inTransaction = async <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction(work);

/** The database's clock, in milliseconds since the epoch. */
export const readClockMs = async (db: Db): Promise<number> => {
  const [row] = await rowsOf<{ ms: number }>(
    db,
    "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS double precision) AS ms",
  );
  return row?.ms ?? Date.now();
};
