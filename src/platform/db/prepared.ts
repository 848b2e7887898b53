/**
 * Prepared statements. They are for fixed statements of the hot path: each connection parses and
 * plans them once, which is most of the cost of a small statement. The text must never vary, and
 * must list its columns: after a migration that adds a column, `SELECT *` would fail on open
 * connections. In a transaction they are submitted when the function is called, so that several can
 * share a round trip (`Promise.all`); Postgres runs them in the order of the calls.
 */
import { createHash } from "node:crypto";
import type pg from "pg";
import { connectionOf, holderOf, refuseAfterEnd } from "./open-transaction.ts";
import { submitPrepared, submitPreparedBatch } from "./prepared-query.ts";
import { type Db, type Queryable, sendAtOnce, sendTogether, type Trx } from "./pool.ts";

type Statement = {
  name: string;
  /** With `$1`, `$2`, … */
  text: string;
  /** The named binding of each place; empty for `?`. */
  names: readonly string[];
};

const statements = new Map<string, Statement>();

/** The rows of a prepared statement with `?` for each binding. */
export async function preparedRowsOf<Row>(
  db: Queryable,
  sql: string,
  bindings: readonly unknown[],
): Promise<Row[]> {
  return run<Row>(db, statementOf(sql), bindings);
}

/** As `preparedRowsOf`, for statements with named bindings such as `:now`. */
export async function preparedNamedRowsOf<Row>(
  db: Queryable,
  sql: string,
  bindings: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const statement = statementOf(sql, bindings);
  return run<Row>(
    db,
    statement,
    statement.names.map((name) => bindings[name]),
  );
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
  const { sql, bindings } = insertOf(table, row);
  const [inserted] = await preparedRowsOf<{ id: number }>(db, `${sql} RETURNING id`, bindings);
  if (inserted === undefined) {
    throw new Error(`The row was not inserted into ${table}`);
  }
  return inserted.id;
}

/** INSERT of one row: see `insertRow`. */
export function insertOf(table: string, row: Readonly<Record<string, unknown>>): PreparedStatement {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`,
    bindings: Object.values(row),
  };
}

/**
 * Ids for new rows of these tables, in their order. A transaction that knows the ids of its rows
 * beforehand need not wait for each insert.
 */
export async function reserveIds(db: Queryable, tables: readonly string[]): Promise<number[]> {
  const columns = tables.map((table, index) => `nextval('${table}_id_seq') AS id${index}`);
  const [row = {}] = await sharedRowsOf<Record<string, number>>(
    db,
    `SELECT ${columns.join(", ")}`,
    [],
  );
  return Object.values(row);
}

/**
 * As `preparedRowsOf`, for reads by key that every request makes: those of one turn of the event
 * loop share a connection and a packet. Only for statements that wait for no lock.
 */
export async function sharedRowsOf<Row>(
  db: Queryable,
  sql: string,
  bindings: readonly unknown[],
): Promise<Row[]> {
  const statement = statementOf(sql);
  if (db.isTransaction === true) {
    return run<Row>(db, statement, bindings);
  }
  const one = shareConnection(db);
  let connection: pg.ClientBase | undefined;
  try {
    connection = await one.connection;
    sendTogether(connection);
    return await query<Row>(db, connection, statement, bindings);
  } finally {
    leaveConnection(db, one, connection);
  }
}

/** A statement with `?` for each binding. */
export type PreparedStatement = { sql: string; bindings: readonly unknown[] };

/** Runs prepared statements as one implicit transaction, on a connection without a transaction. */
export async function runTogether(
  db: Db,
  connection: pg.ClientBase,
  list: readonly PreparedStatement[],
): Promise<void> {
  const named = list.map(({ sql, bindings }) => {
    report(db, sql, bindings);
    const { name, text } = statementOf(sql);
    return { name, text, values: bindings };
  });
  await sendAtOnce(connection, () => submitPreparedBatch(connection, named));
}

async function run<Row>(
  db: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const hold = holderOf(db);
  if (hold !== undefined) {
    refuseAfterEnd(db as Trx);
    report(db, statement.text, values);
    return (await hold({ name: statement.name, text: statement.text, values })).rows as Row[];
  }
  const open = connectionOf(db);
  if (open !== undefined) {
    sendTogether(open);
    return query<Row>(db, open, statement, values);
  }
  const connection = await acquire(db);
  try {
    return await query<Row>(db, connection, statement, values);
  } finally {
    release(db, connection);
  }
}

async function query<Row>(
  db: Queryable,
  connection: pg.ClientBase,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  report(db, text, values);
  return (await submitPrepared(connection, { name, text, values })).rows as Row[];
}

/** As Knex does, for its listeners. */
function report(db: Queryable, sql: string, bindings: readonly unknown[]): void {
  db.client.emit("query", { sql, bindings });
}

/** A connection that concurrent reads share, and how many of them wait for their rows. */
type SharedConnection = { connection: Promise<pg.ClientBase>; reads: number };

/** By the client object of the pool. */
const shared = new WeakMap<object, Set<SharedConnection>>();

/** A slow read delays those behind it on its connection, so they are few. */
const maxReadsPerConnection = 16;

function shareConnection(db: Queryable): SharedConnection {
  const client = db.client as object;
  const open = shared.get(client) ?? new Set();
  shared.set(client, open);
  const free = [...open].find(({ reads }) => reads < maxReadsPerConnection);
  const one = free ?? { connection: acquire(db), reads: 0 };
  open.add(one);
  one.reads += 1;
  return one;
}

/** The last read returns the connection to the pool. */
function leaveConnection(db: Queryable, one: SharedConnection, connection?: pg.ClientBase): void {
  one.reads -= 1;
  if (one.reads === 0) {
    shared.get(db.client as object)?.delete(one);
    if (connection !== undefined) {
      release(db, connection);
    }
  }
}

function acquire(db: Queryable): Promise<pg.ClientBase> {
  return db.client.acquireConnection() as Promise<pg.ClientBase>;
}

function release(db: Queryable, connection: pg.ClientBase): void {
  void db.client.releaseConnection(connection);
}

function statementOf(sql: string, named: Readonly<Record<string, unknown>> = {}): Statement {
  const known = statements.get(sql);
  if (known !== undefined) {
    return known;
  }
  const names: string[] = [];
  let places = 0;
  // A colon before a name is a binding only if there is one of that name: casts have two colons.
  const text = sql.replaceAll(/\?|(?<!:):([a-z]\w*)/giu, (place, name?: string) => {
    if (name === undefined) {
      places += 1;
      return `$${places}`;
    }
    if (!Object.hasOwn(named, name)) {
      return place;
    }
    names.push(name);
    return `$${names.length}`;
  });
  const statement = { name: nameOf(sql), text, names };
  statements.set(sql, statement);
  return statement;
}

function nameOf(sql: string): string {
  return `s_${createHash("sha256").update(sql).digest("base64url").slice(0, 22)}`;
}
