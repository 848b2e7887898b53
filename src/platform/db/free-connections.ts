import type { Knex } from "knex";
import type pg from "pg";
import { socketOf } from "./connection.ts";

/** What is used of a connection, and of the pool of Knex, which is Tarn's. */
type PooledConnection = pg.ClientBase & { __knex__disposed?: unknown };

type Resource = Readonly<{ resource: PooledConnection }>;

type Pool = {
  destroyed: boolean;
  /** The timer that closes idle connections; the pool starts it when it gives one out by itself. */
  interval: unknown;
  free: Resource[];
  used: Resource[];
  pendingAcquires: readonly unknown[];
  acquire(): { promise: Promise<PooledConnection> };
};

/**
 * Gives out a free connection at once. Otherwise the pool makes two pending operations for it, each
 * with promises and a timer, which is a tenth of what a small statement costs this process. Nothing
 * else changes: the pool counts, closes and replaces its connections, and a caller that has to wait
 * for one waits in its queue.
 */
export function giveFreeConnectionsAtOnce(db: Knex): void {
  const pool = poolOf(db);
  if (pool === undefined) {
    return;
  }
  const acquire = pool.acquire.bind(pool);
  pool.acquire = () => {
    const last = pool.free.at(-1);
    const isOpen = !pool.destroyed && pool.interval !== null;
    const mayTake = isOpen && pool.pendingAcquires.length === 0;
    if (last === undefined || !mayTake || !isUsable(last.resource)) {
      return acquire();
    }
    pool.free.pop();
    pool.used.push(last);
    return { promise: Promise.resolve(last.resource) };
  };
}

const replaced = new WeakSet<PooledConnection>();

/**
 * Closes all free connections after the loss of one. If its host is gone, the others are lost, too,
 * and each would be waited for in turn. Their own loss, which follows from this, changes nothing.
 */
export function replaceFreeConnections(db: Knex, lost: pg.ClientBase, reason: Error): void {
  if (replaced.has(lost)) {
    return;
  }
  for (const { resource } of poolOf(db)?.free ?? []) {
    replaced.add(resource);
    discard(resource, reason);
    socketOf(resource).destroy(); // a goodbye would wait for a host that is gone
  }
}

/** Knex's pool then closes the connection instead of giving it to somebody else. */
export function discard(connection: pg.ClientBase, reason: unknown): void {
  Object.assign(connection, { __knex__disposed: reason });
}

/**
 * For each connection that the pool gives out. Knex discards one that has failed. After a time-out
 * node-postgres destroys the socket, and reports it a moment later.
 */
export function isUsable(connection: PooledConnection): boolean {
  return !connection.__knex__disposed && !socketOf(connection).destroyed;
}

/** Undefined once the pool is closed, when its connections may still report something. */
function poolOf(db: Knex): Pool | undefined {
  return (db.client as { pool?: Pool }).pool;
}
