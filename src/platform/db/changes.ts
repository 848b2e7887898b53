/**
 * What committed transactions changed, for caches in this process. In: subjects, such as `user:12`,
 * that a store reports in the transaction of the write. Out: a synchronous call of every listener of
 * the pool, after the commit and before `inTransaction` resolves: no caller sees its change committed
 * and the cache outdated. A transaction that fails is reported too, because a COMMIT whose answer was
 * lost may have succeeded.
 */
import { outermostOf } from "./open-transaction.ts";
import type { Db, Queryable, Trx } from "./pool.ts";

export type ChangeListener = (subjects: ReadonlySet<string>) => void;

/** By the client object of the pool. */
const listeners = new WeakMap<object, Set<ChangeListener>>();

/** What open transactions have reported, by the client object of the transaction. */
const reported = new WeakMap<object, Set<string>>();

/** Calls back after every commit on this pool that changed a reported subject. */
export function onChange(db: Db, listener: ChangeListener): void {
  const known = listeners.get(db.client as object) ?? new Set();
  listeners.set(db.client as object, known.add(listener));
}

/**
 * Reports a change. On a transaction: any time before its end. On the pool: after the statement,
 * which was committed with it.
 */
export function reportChange(db: Queryable, subject: string): void {
  if (db.isTransaction !== true) {
    publishChanges(db as Db, new Set([subject]));
    return;
  }
  const subjects = reported.get(outermostOf(db as Trx).client as object);
  if (subjects === undefined) {
    throw new Error("A change is reported in transactions of `inTransaction` only");
  }
  subjects.add(subject);
}

/** Collects what this transaction reports. */
export function collectChanges(trx: Trx, subjects: Set<string>): void {
  reported.set(trx.client as object, subjects);
}

/** Calls the listeners of the pool. */
export function publishChanges(db: Db, subjects: ReadonlySet<string>): void {
  if (subjects.size > 0) {
    listeners.get(db.client as object)?.forEach((listener) => listener(subjects));
  }
}
