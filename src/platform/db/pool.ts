import knex, { type Knex } from "knex";
import pg from "pg";
import type { Logger } from "../logger.ts";
import { connectionOptions, socketOf, type ConnectionOptions } from "./connection.ts";
import { giveFreeConnectionsAtOnce, isUsable, replaceFreeConnections } from "./free-connections.ts";

/** A connection pool. Each statement on it is its own transaction. */
export type Db = Knex;

/** An open transaction. Functions that must run inside one take this type only. */
export type Trx = Knex.Transaction;

/** Either of them: for statements that are correct alone and inside a transaction. */
export type Queryable = Db | Trx;

export type PoolOptions = ConnectionOptions & {
  maxConnections: number;
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

/**
 * The numbers of all Postgres advisory locks. They must be distinct, and the same in every process.
 */
export const advisoryLocks = {
  migration: 7_233_001,
  relay: 7_233_002,
  firstStart: 7_233_003,
  dataDir: 7_233_004,
  tallies: 7_233_005,
  inbox: 7_233_006,
  /** And the numbers that follow it: one for each shard of 2, of 4, and so on. */
  relayShards: 7_233_100,
} as const;

/**
 * Connections name their schemas: by default Postgres searches one named like the role first, which
 * may be the queue's.
 */
export const tablesSchema = "public";

/**
 * Searched before the tables, the newest first. Each exists only between a release that renames
 * something and the next one, and has the new names as views, while processes of the previous
 * version use the old ones. Those must not search it, so each rename has its own.
 */
const viewsSchemas = ["sightline_next_2", "sightline_next"];

/**
 * Opens a pool. It connects lazily. Its connections are in pipeline mode: statements of one
 * transaction that are submitted together share a round trip.
 */
export function openPool(options: PoolOptions): Db {
  const db: Db = knex({
    client: "pg",
    connection: pipelined(connectionOptions(options)),
    pool: {
      min: 0,
      max: options.maxConnections,
      validate: isUsable,
      afterCreate: (client: pg.Client, done: (error?: Error | null) => void) => {
        client.once("error", (error) => {
          // A message of Postgres, for example that it ends this session, says nothing of others.
          if (!(error instanceof pg.DatabaseError)) {
            replaceFreeConnections(db, client, error);
          }
        });
        if (options.isIndexedOnly === true) {
          planForIndexes(client, done);
        } else {
          done();
        }
      },
    },
    acquireConnectionTimeout: 10_000,
    searchPath: [...viewsSchemas, tablesSchema],
    // Error messages are logged, and bindings may contain personal data and hashes.
    compileSqlOnError: false,
    log: knexLog(options.log),
  });
  giveFreeConnectionsAtOnce(db);
  return db;
}

/** Knex's types do not know the option of node-postgres. */
function pipelined<Options extends object>(options: Options): Options {
  return { ...options, ...{ pipeline: true } };
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

/** Sends in one packet what `submit` writes. */
export function sendAtOnce<T>(connection: pg.ClientBase, submit: () => T): T {
  const socket = socketOf(connection);
  socket.cork();
  try {
    return submit();
  } finally {
    socket.uncork();
  }
}

/** Holds what is written until this turn of the event loop ends. */
export function sendTogether(connection: pg.ClientBase): void {
  const socket = socketOf(connection);
  if (socket.writableCorked === 0) {
    socket.cork();
    setImmediate(() => socket.uncork());
  }
}
