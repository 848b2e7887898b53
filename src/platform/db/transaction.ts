import type pg from "pg";
import { toError } from "../errors.ts";
import { commitTogether } from "./batch.ts";
import { collectChanges, publishChanges } from "./changes.ts";
import { abortedTransaction, isAbortedTransaction } from "./errors.ts";
import {
  connectionOf,
  openTransaction,
  refuseAfterEnd,
  reportCommit,
  submit,
  submitLast,
} from "./open-transaction.ts";
import { insertOf, insertRow, preparedRowsOf, type PreparedStatement } from "./prepared.ts";
import type { Db, Trx } from "./pool.ts";

type Progress = {
  /** Statements that wait for the transaction to begin; undefined once it has begun. */
  held: PreparedStatement[] | undefined;
  /** The answer to BEGIN. */
  begun: Promise<unknown> | undefined;
  /** Statements that the transaction does not wait for. */
  unawaited: Promise<unknown>[];
};

/** By the client object of the transaction. */
const progressOf = new WeakMap<object, Progress>();

/** The last statements of a transaction, already submitted. An object, so that nobody awaits it. */
export type LastStatements<T> = { last: Promise<T> };

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects or when a
 * statement of `submitInTransaction` failed. BEGIN is submitted with the first statements: if it
 * fails, they fail too, because the connection is lost.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return transact(db, (trx) => {
    connectionOf(trx); // begins it
    return work(trx);
  });
}

/**
 * As `inTransaction`, for work that usually needs only `submitInTransaction`: those statements are
 * held until `work` resolves, and sent with one `Sync`, which Postgres runs as one implicit
 * transaction without BEGIN and COMMIT, together with others that end at that moment
 * (`commitTogether`). Any other statement begins a transaction with those held so far. Without a
 * statement nothing is sent.
 */
export async function inImplicitTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return transact(db, work);
}

/** The transaction begins with its first statement that cannot be held. */
async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const connection = (await db.client.acquireConnection()) as pg.ClientBase;
  const progress: Progress = { held: [], begun: undefined, unawaited: [] };
  const begin = (): void => beginNow(trx, connection, progress);
  const { trx, end } = openTransaction(db, connection, { begin });
  const changes = new Set<string>();
  let isReleased = false;
  const release = (): void => {
    if (!isReleased) {
      isReleased = true;
      void db.client.releaseConnection(connection);
    }
  };
  progressOf.set(trx.client as object, progress);
  collectChanges(trx, changes);
  try {
    const result = await work(trx);
    end();
    const { held } = progress;
    if (held === undefined) {
      await commit(connection, progress);
    } else {
      progress.held = undefined;
      release();
      await (held.length === 0 ? undefined : commitTogether(db, held));
    }
    reportCommit(trx);
    return result;
  } catch (thrown) {
    end();
    progress.held = undefined; // it never begins
    await rollBack(connection, progress);
    const { unawaited } = progress;
    throw isAbortedTransaction(toError(thrown)) ? ((await findCause(unawaited)) ?? thrown) : thrown;
  } finally {
    release();
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

/** Submits BEGIN and the held statements, once. */
function beginNow(trx: Trx, connection: pg.ClientBase, progress: Progress): void {
  const { held } = progress;
  if (held !== undefined) {
    progress.held = undefined;
    progress.begun = submit(connection, "BEGIN");
    progress.begun.catch(() => undefined); // it is awaited with the commit
    for (const { sql, bindings } of held) {
      submitUnawaited(trx, progress, { sql, bindings });
    }
  }
}

/**
 * After a failed statement, even one whose failure was caught, Postgres answers COMMIT with a
 * rollback, and without an error.
 */
async function commit(
  connection: pg.ClientBase,
  { begun, unawaited }: Pick<Progress, "begun" | "unawaited">,
): Promise<void> {
  const [ended] = await Promise.all([submit(connection, "COMMIT"), begun]);
  if (ended.command !== "COMMIT") {
    throw abortedTransaction("The transaction was rolled back");
  }
  await Promise.all(unawaited);
}

/** An implicit transaction ends by itself. */
async function rollBack(connection: pg.ClientBase, { begun }: Progress): Promise<void> {
  if (begun !== undefined) {
    await submitLast(connection, "ROLLBACK");
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
    progressOf.get(trx.client as object)?.unawaited.push(end.last); // the cause, if it fails
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
  const progress = progressOf.get(trx.client as object);
  if (progress === undefined) {
    await preparedRowsOf(trx, sql, bindings);
    return;
  }
  refuseAfterEnd(trx);
  if (progress.held === undefined) {
    submitUnawaited(trx, progress, { sql, bindings });
  } else {
    progress.held.push({ sql, bindings });
  }
}

/** Inserts a row as `insertRow` does, but without waiting if its id is reserved. Returns the id. */
export async function insertWithId(
  trx: Trx,
  table: string,
  row: Readonly<Record<string, unknown>>,
  id: number | undefined,
): Promise<number> {
  if (id === undefined) {
    return insertRow(trx, table, row);
  }
  const { sql, bindings } = insertOf(table, { id, ...row });
  await submitInTransaction(trx, sql, bindings);
  return id;
}

function submitUnawaited(
  trx: Trx,
  { unawaited }: Progress,
  { sql, bindings }: PreparedStatement,
): void {
  const submitted = preparedRowsOf(trx, sql, bindings);
  submitted.catch(() => undefined); // it is awaited at the end of the transaction
  unawaited.push(submitted);
}

async function findCause(pending: readonly Promise<unknown>[]): Promise<unknown> {
  for (const result of await Promise.allSettled(pending)) {
    if (result.status === "rejected" && !isAbortedTransaction(toError(result.reason))) {
      return result.reason;
    }
  }
  return undefined;
}
