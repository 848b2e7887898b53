import type pg from "pg";
import { withTimeout } from "../concurrency/async.ts";
import { discard } from "./free-connections.ts";
import { type Db, sendTogether, type Trx } from "./pool.ts";
import type { NamedQuery } from "./prepared-query.ts";

/** What is known of a transaction of `inTransaction`, by its client object. */
type Opened = {
  connection: pg.ClientBase;
  /** Called after the commit. */
  afterCommit: (() => void)[];
  /** Called before each use of the connection: begins a transaction that has not begun. */
  begin: () => void;
  hold: Hold | undefined;
};

/** Takes a statement that is sent later with others. Resolves when all have taken effect. */
export type Hold = (statement: NamedQuery) => Promise<pg.QueryResult>;

/** How the statements of a transaction are sent; by default at once. */
type StatementTiming = { begin?: () => void; hold?: Hold };

const opened = new WeakMap<object, Opened>();

/** The part of Knex's client that a transaction replaces. */
type TransactionClient = {
  acquireConnection(): Promise<pg.ClientBase>;
  releaseConnection(): Promise<void>;
  query(connection: pg.ClientBase, statement: unknown): Promise<unknown>;
  raw: Trx["raw"];
  queryBuilder(): ReturnType<Trx>;
};

/** The part of Knex's transactions that is used here. */
type TransactionParts = Pick<Trx, "isTransaction" | "client" | "raw" | "isCompleted"> & {
  parentTransaction?: Trx;
  transaction<T>(work: (savepoint: Trx) => Promise<T>): Promise<T>;
};

export type OpenTransaction = Readonly<{
  trx: Trx;
  /** Refuses further statements. */
  end(): void;
}>;

/**
 * A transaction on this connection, which is open already. Knex makes a whole instance of itself for
 * each transaction, at a tenth of what a request costs; this one has only what is used. Its
 * statements can be submitted without waiting for the ones before: Postgres runs them in order.
 */
export function openTransaction(
  db: Db,
  connection: pg.ClientBase,
  { parent, begin = () => undefined, hold }: StatementTiming & { parent?: Trx } = {},
): OpenTransaction {
  let hasEnded = false;
  const isCompleted = (): boolean => hasEnded || parent?.isCompleted() === true;
  const client = Object.create(db.client as object) as TransactionClient;
  const query = client.query.bind(client);
  client.acquireConnection = async () => {
    refuseAfterEnd({ isCompleted });
    begin();
    return connection;
  };
  // Knex's builders submit a moment after they got the connection. What is submitted after COMMIT or
  // ROLLBACK would run outside of the transaction.
  client.query = async (...statement) => {
    refuseAfterEnd({ isCompleted });
    return query(...statement);
  };
  client.releaseConnection = () => Promise.resolve();
  /** They follow each other: a rollback to one also ends those that began after it. */
  let lastSavepoint: Promise<unknown> = Promise.resolve();
  const parts: TransactionParts = {
    isTransaction: true,
    client,
    raw: client.raw.bind(client),
    isCompleted,
    transaction: (work) => {
      const one = lastSavepoint.then(() => inSavepoint(db, connection, trx, work));
      lastSavepoint = one.catch(() => undefined);
      return one;
    },
    ...(parent === undefined ? {} : { parentTransaction: parent }),
  };
  const from = (table: string) => client.queryBuilder().table(table);
  const trx = Object.assign(from, parts) as unknown as Trx;
  opened.set(client, { connection, afterCommit: [], begin, hold });
  return {
    trx,
    end: () => {
      hasEnded = true;
    },
  };
}

/** What is submitted after the end may belong to the next transaction on the connection. */
export function refuseAfterEnd({ isCompleted }: Pick<Trx, "isCompleted">): void {
  if (isCompleted()) {
    throw new Error("The transaction has already ended");
  }
}

let savepoints = 0;

/** What fails in a savepoint leaves the rest of the transaction as it is. */
async function inSavepoint<T>(
  db: Db,
  connection: pg.ClientBase,
  parent: Trx,
  work: (savepoint: Trx) => Promise<T>,
): Promise<T> {
  savepoints += 1;
  const name = `savepoint_${savepoints}`;
  refuseAfterEnd(parent);
  opened.get(parent.client as object)?.begin();
  await connection.query(`SAVEPOINT ${name}`);
  const { trx, end } = openTransaction(db, connection, { parent });
  try {
    const result = await work(trx);
    end();
    refuseAfterEnd(parent);
    await connection.query(`RELEASE SAVEPOINT ${name}`);
    return result;
  } catch (thrown) {
    end(); // what is submitted after the rollback would belong to the parent
    if (!parent.isCompleted()) {
      await connection.query(`ROLLBACK TO SAVEPOINT ${name}`);
    }
    throw thrown;
  }
}

/**
 * The connection of an open transaction, which has begun; undefined for pools. Throws after the end:
 * the connection may belong to somebody else.
 */
export function connectionOf(db: Db): pg.ClientBase | undefined {
  const one = opened.get(db.client as object);
  if (one !== undefined) {
    refuseAfterEnd(db as Trx);
    one.begin();
  }
  return one?.connection;
}

/** Where a transaction holds its statements, if it does. */
export function holderOf(db: Db): Hold | undefined {
  return opened.get(db.client as object)?.hold;
}

/** Submits BEGIN, COMMIT or ROLLBACK with the other statements of this turn. */
export function submit(connection: pg.ClientBase, sql: string): Promise<pg.QueryResult> {
  sendTogether(connection);
  return connection.query(sql);
}

const lastAnswerTimeoutMs = 5_000;

/** Returns whether Postgres has run the statement. If not, the connection is not used again. */
export async function submitLast(connection: pg.ClientBase, sql: string): Promise<boolean> {
  try {
    await withTimeout(submit(connection, sql), lastAnswerTimeoutMs, "the last statement");
    return true;
  } catch (thrown) {
    discard(connection, thrown);
    return false;
  }
}

/** The transaction in which this one is a savepoint, or this one. */
export function outermostOf(trx: Trx): Trx {
  return trx.parentTransaction === undefined ? trx : outermostOf(trx.parentTransaction);
}

/** Calls back once the transaction is committed, and never if it is not. */
export function afterCommit(trx: Trx, callback: () => void): void {
  const known = opened.get(outermostOf(trx).client as object);
  if (known === undefined) {
    void trx.executionPromise.then(callback, () => undefined); // a transaction of Knex
  } else {
    known.afterCommit.push(callback);
  }
}

export function reportCommit(trx: Trx): void {
  opened.get(trx.client as object)?.afterCommit.forEach((callback) => callback());
}
