/** Prepared statements that need nothing from each other, as one implicit transaction. */
import type pg from "pg";
import { type Hold, openTransaction, reportCommit } from "./open-transaction.ts";
import { type Db, sendTogether, type Trx } from "./pool.ts";
import { submitPreparedBatch, type NamedQuery } from "./prepared-query.ts";

type HeldStatement = {
  statement: NamedQuery;
  resolve: (result: pg.QueryResult) => void;
  reject: (reason: unknown) => void;
};

/**
 * Runs the prepared statements that `work` submits before it first waits as one implicit
 * transaction, in one round trip. All of them take effect, or none; later ones are refused. None is
 * sent if `work` fails beforehand. What `work` does with the rows comes after the commit.
 */
export async function inOneBatch<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const connection = (await db.client.acquireConnection()) as pg.ClientBase;
  const held: HeldStatement[] = [];
  const hold: Hold = (statement) =>
    new Promise((resolve, reject) => held.push({ statement, resolve, reject }));
  const { trx, end } = openTransaction(db, connection, { hold });
  const result = (async () => work(trx))();
  let hasFailed = false;
  result.catch(() => {
    hasFailed = true;
  });
  end();
  try {
    await allMicrotasks();
    if (!hasFailed) {
      const results = await sendHeld(connection, held);
      reportCommit(trx);
      held.forEach(({ resolve }, index) => resolve(results[index] as pg.QueryResult));
    }
  } catch (thrown) {
    held.forEach(({ reject }) => reject(thrown));
  } finally {
    void db.client.releaseConnection(connection);
  }
  return result;
}

/** Until then, a failure of one function has become the failure of those that wait for it. */
function allMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

async function sendHeld(
  connection: pg.ClientBase,
  held: readonly HeldStatement[],
): Promise<pg.QueryResult[]> {
  if (held.length === 0) {
    return [];
  }
  sendTogether(connection);
  return submitPreparedBatch(
    connection,
    held.map(({ statement }) => statement),
  );
}
