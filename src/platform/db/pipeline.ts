/**
 * Connections of open transactions, whose statements can be submitted without waiting for the ones
 * before: Postgres runs them in order. Those of one turn of the event loop go out in one packet.
 */
import type { Writable } from "node:stream";
import type { Knex } from "knex";
import type pg from "pg";

/** By the client object of the transaction. */
const connections = new WeakMap<object, pg.ClientBase>();

/** The part of Knex's transaction that begins it. */
type Beginning = { trxClient: object; begin(connection: pg.ClientBase): Promise<unknown> };

type TransactionFactory = { transaction(...args: unknown[]): Beginning };

/**
 * Lets every transaction of this pool start its work without waiting for the answer to BEGIN, which
 * saves a round trip. If BEGIN fails, the statements after it fail too, because the connection is
 * lost. Savepoints still wait.
 */
export function skipWaitForBegin(db: Knex): void {
  const client = db.client as TransactionFactory;
  const create = client.transaction.bind(client);
  client.transaction = (...args) => {
    const transaction = create(...args);
    const begin = transaction.begin.bind(transaction);
    transaction.begin = (connection) => {
      connections.set(transaction.trxClient, connection);
      sendTogether(connection);
      void begin(connection);
      return Promise.resolve();
    };
    return transaction;
  };
}

/** The connection of an open transaction; undefined for pools and savepoints. */
export function connectionOf(db: Knex): pg.ClientBase | undefined {
  return connections.get(db.client as object);
}

const held = new WeakSet<Writable>();

/** Holds what is written until this turn of the event loop ends. */
export function sendTogether(connection: pg.ClientBase): void {
  const { stream } = (connection as unknown as { connection: { stream: Writable } }).connection;
  if (!held.has(stream)) {
    held.add(stream);
    stream.cork();
    setImmediate(() => {
      held.delete(stream);
      stream.uncork();
    });
  }
}
