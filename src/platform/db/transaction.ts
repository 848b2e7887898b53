import type pg from "pg";
import { withTimeout } from "../concurrency/async.ts";
import { toError } from "../errors.ts";
import { collectChanges, publishChanges } from "./changes.ts";
import { abortedTransaction, isAbortedTransaction } from "./errors.ts";
import { openTransaction, reportCommit, submit } from "./open-transaction.ts";
import { preparedRowsOf } from "./prepared.ts";
import type { Db, Trx } from "./pool.ts";

/** Statements that the transaction does not wait for, by its client object. */
const unawaited = new WeakMap<object, Promise<unknown>[]>();

/** The last statements of a transaction, already submitted. An object, so that nobody awaits it. */
export type LastStatements<T> = { last: Promise<T> };

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects or when a
 * statement of `submitInTransaction` failed. BEGIN is submitted with the first statements: if it
 * fails, they fail too, because the connection is lost.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const connection = (await db.client.acquireConnection()) as pg.ClientBase;
  const { trx, end } = openTransaction(db, connection);
  const pending: Promise<unknown>[] = [];
  const changes = new Set<string>();
  unawaited.set(trx.client as object, pending);
  collectChanges(trx, changes);
  try {
    const result = await commitAfter(connection, () => work(trx), end);
    await Promise.all(pending);
    reportCommit(trx);
    return result;
  } catch (thrown) {
    throw isAbortedTransaction(toError(thrown)) ? ((await findCause(pending)) ?? thrown) : thrown;
  } finally {
    void db.client.releaseConnection(connection);
    publishChanges(db, changes);
  }
}

/** As `inTransaction`, read only and in one snapshot, so that all its statements agree. */
export async function inSnapshot<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return inTransaction(db, async (trx) => {
    await trx.raw("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    return work(trx);
  });
}

/**
 * `end` is called when no more statements may follow. After a failed statement, even one whose failure
 * was caught, Postgres answers COMMIT with a rollback, and without an error.
 */
async function commitAfter<T>(
  connection: pg.ClientBase,
  work: () => Promise<T>,
  end: () => void,
): Promise<T> {
  const begun = submit(connection, "BEGIN");
  begun.catch(() => undefined); // it is awaited with the commit
  try {
    const result = await work();
    end();
    const [ended] = await Promise.all([submit(connection, "COMMIT"), begun]);
    if (ended.command !== "COMMIT") {
      throw abortedTransaction("The transaction was rolled back");
    }
    return result;
  } catch (thrown) {
    end();
    await rollBack(connection);
    throw thrown;
  }
}

const rollbackTimeoutMs = 5_000;

/** A connection that cannot roll back is not used again. */
async function rollBack(connection: pg.ClientBase): Promise<void> {
  try {
    await withTimeout(submit(connection, "ROLLBACK"), rollbackTimeoutMs, "rollback");
  } catch (thrown) {
    Object.assign(connection, { __knex__disposed: thrown }); // Knex's pool destroys it
  }
}

/**
 * As `inTransaction`, for work whose last statements need no decision before the commit: COMMIT is
 * submitted with them and saves a round trip.
 */
export async function inTransactionEndingWith<T>(
  db: Db,
  work: (trx: Trx) => Promise<LastStatements<T>>,
): Promise<T> {
  const { last } = await inTransaction(db, async (trx) => {
    const end = await work(trx);
    end.last.catch(() => undefined); // it is awaited after the commit
    unawaited.get(trx.client as object)?.push(end.last); // the cause, if it fails
    return end;
  });
  return last;
}

/**
 * Submits a statement whose rows nobody needs. Inside `inTransaction` it resolves at once, and a
 * failure rejects the transaction at its end; elsewhere it waits.
 */
export async function submitInTransaction(
  trx: Trx,
  sql: string,
  bindings: readonly unknown[],
): Promise<void> {
  const submitted = preparedRowsOf(trx, sql, bindings);
  const pending = unawaited.get(trx.client as object);
  if (pending === undefined) {
    await submitted;
    return;
  }
  submitted.catch(() => undefined); // it is awaited at the end of the transaction
  pending.push(submitted);
}

async function findCause(pending: readonly Promise<unknown>[]): Promise<unknown> {
  for (const result of await Promise.allSettled(pending)) {
    if (result.status === "rejected" && !isAbortedTransaction(toError(result.reason))) {
      return result.reason;
    }
  }
  return undefined;
}
