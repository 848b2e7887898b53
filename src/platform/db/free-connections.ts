import type { Knex } from "knex";

/** What is used of a connection, and of the pool of Knex, which is Tarn's. */
type PooledConnection = { __knex__disposed?: unknown };

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
  const pool = (db.client as { pool: Pool }).pool;
  const acquire = pool.acquire.bind(pool);
  pool.acquire = () => {
    const last = pool.free.at(-1);
    const isOpen = !pool.destroyed && pool.interval !== null;
    const mayTake = isOpen && pool.pendingAcquires.length === 0;
    // Knex marks a connection that has failed; the pool then replaces it.
    if (last === undefined || !mayTake || isLost(last.resource)) {
      return acquire();
    }
    pool.free.pop();
    pool.used.push(last);
    return { promise: Promise.resolve(last.resource) };
  };
}

function isLost(connection: PooledConnection): boolean {
  return Boolean(connection.__knex__disposed);
}
