/**
 * Prepared statements that need nothing from each other, as one implicit transaction: those of one
 * work (`inOneBatch`), or of several transactions that share a commit (`commitTogether`).
 */
import pg from "pg";
import { toError } from "../errors.ts";
import { isDivisionByZero } from "./errors.ts";
import { type Hold, openTransaction, reportCommit, submitLast } from "./open-transaction.ts";
import { runTogether, type PreparedStatement } from "./prepared.ts";
import { discard } from "./free-connections.ts";
import { type Db, sendAtOnce, type Trx } from "./pool.ts";
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
  const statements = held.map(({ statement }) => statement);
  return sendAtOnce(connection, () => submitPreparedBatch(connection, statements));
}

/** The statements of one transaction, which wait for the end of this turn of the event loop. */
type Joining = {
  statements: readonly PreparedStatement[];
  resolve: () => void;
  reject: (reason: unknown) => void;
};

type SharedCommits = {
  /** Those of this turn. */
  joining: Joining[] | undefined;
  /** Until then each commits by itself, in `performance.now()`. */
  aloneUntilMs: number;
};

/** By the client object of the pool. */
const sharedCommitsOf = new WeakMap<object, SharedCommits>();

/** What fails or waits for a lock delays all that share its commit, so they are few. */
const maxTransactionsPerCommit = 16;

/** A transaction that waits longer for a lock has to wait by itself. */
const limitLockTime: PreparedStatement = {
  sql: "SELECT set_config('lock_timeout', ?, true)",
  bindings: ["100ms"],
};

/**
 * After a shared commit that failed, because the next ones may fail for the same reason. A conflict of
 * two changes is soon over.
 */
const aloneMs = { afterConflict: 100, afterFault: 1_000 };

/** Unknown: Postgres may have committed it, or there was no connection. */
type Outcome = { kind: "committed" } | { kind: "rolledBack" | "unknown"; reason: unknown };

/**
 * Commits the statements of a transaction, at least one, as an implicit transaction that is shared
 * with the others of this turn of the event loop: a commit costs more than a small statement. If one
 * of them fails, Postgres has rolled back all, and each runs by itself, so that only the faulty one
 * is rejected. If the connection is lost, all are rejected: nobody knows whether they took effect.
 */
export function commitTogether(db: Db, statements: readonly PreparedStatement[]): Promise<void> {
  const key = db.client as object;
  const shared = sharedCommitsOf.get(key) ?? { joining: undefined, aloneUntilMs: 0 };
  sharedCommitsOf.set(key, shared);
  return new Promise((resolve, reject) => {
    const one: Joining = { statements, resolve, reject };
    if (performance.now() < shared.aloneUntilMs) {
      void commitAlone(db, one);
    } else if (shared.joining !== undefined && shared.joining.length < maxTransactionsPerCommit) {
      shared.joining.push(one);
    } else {
      const joining = [one];
      shared.joining = joining;
      setImmediate(() => {
        shared.joining = shared.joining === joining ? undefined : shared.joining;
        void commitShared(db, shared, joining);
      });
    }
  });
}

async function commitShared(db: Db, shared: SharedCommits, joining: Joining[]): Promise<void> {
  const [first, ...others] = joining;
  if (first !== undefined && others.length === 0) {
    return commitAlone(db, first);
  }
  const all = joining.flatMap(({ statements }) => statements);
  const outcome = await runOnPool(db, [limitLockTime, ...all]);
  if (outcome.kind !== "committed") {
    const isConflict = isDivisionByZero(toError(outcome.reason));
    shared.aloneUntilMs = performance.now() + aloneMs[isConflict ? "afterConflict" : "afterFault"];
  }
  for (const one of joining) {
    if (outcome.kind === "rolledBack") {
      void commitAlone(db, one);
    } else {
      settle(one, outcome);
    }
  }
}

async function commitAlone(db: Db, one: Joining): Promise<void> {
  settle(one, await runOnPool(db, one.statements));
}

function settle({ resolve, reject }: Joining, outcome: Outcome): void {
  if (outcome.kind === "committed") {
    resolve();
  } else {
    reject(outcome.reason);
  }
}

async function runOnPool(db: Db, statements: readonly PreparedStatement[]): Promise<Outcome> {
  let connection: pg.ClientBase | undefined;
  try {
    connection = (await db.client.acquireConnection()) as pg.ClientBase;
    await runTogether(db, connection, statements);
    return { kind: "committed" };
  } catch (reason) {
    const isOver = connection !== undefined && (await isRolledBack(connection, reason));
    return { kind: isOver ? "rolledBack" : "unknown", reason };
  } finally {
    if (connection !== undefined) {
      void db.client.releaseConnection(connection);
    }
  }
}

/**
 * Whether Postgres has reported a fault and is still there. The SQLSTATE does not tell it: a disk
 * that is full, for example, fails a statement, or ends the server after the commit was written.
 */
async function isRolledBack(connection: pg.ClientBase, reason: unknown): Promise<boolean> {
  if (reason instanceof pg.DatabaseError) {
    return submitLast(connection, "SELECT 1");
  }
  discard(connection, reason);
  return false;
}
