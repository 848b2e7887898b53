import { collectChanges, publishChanges } from "./changes.ts";
import { preparedRowsOf } from "./prepared.ts";
import type { Db, Trx } from "./pool.ts";

/** Statements that the transaction does not wait for, by its client object. */
const unawaited = new WeakMap<object, Promise<unknown>[]>();

/** The last statements of a transaction, already submitted. An object, so that nobody awaits it. */
export type LastStatements<T> = { last: Promise<T> };

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects or when a
 * statement of `submitInTransaction` failed.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const pending: Promise<unknown>[] = [];
  const changes = new Set<string>();
  try {
    const result = await db.transaction((trx) => {
      unawaited.set(trx.client as object, pending);
      collectChanges(trx, changes);
      return work(trx);
    });
    // After a failed statement Postgres answers COMMIT with a rollback, and without an error.
    await Promise.all(pending);
    return result;
  } catch (thrown) {
    throw isConsequence(thrown) ? ((await findCause(pending)) ?? thrown) : thrown;
  } finally {
    publishChanges(db, changes);
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

/** "The current transaction is aborted": an earlier statement failed. */
const abortedCode = "25P02";

function isConsequence(thrown: unknown): boolean {
  return (thrown as { code?: unknown } | null)?.code === abortedCode;
}

async function findCause(pending: readonly Promise<unknown>[]): Promise<unknown> {
  for (const result of await Promise.allSettled(pending)) {
    if (result.status === "rejected" && !isConsequence(result.reason)) {
      return result.reason;
    }
  }
  return undefined;
}
