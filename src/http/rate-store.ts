import { RateLimiterPostgres, RateLimiterRedis } from "rate-limiter-flexible";
import type { Db } from "../platform/db/pool.ts";

/** The count of all processes, and the time until it resets. */
export type StoredCount = { total: number; resetMs: number };

/** Counts shared by all processes. Promises may reject or hang; the limiter handles both. */
export type RateStore = {
  /** Adds points (0 only reads) to a key's window, which the first point opens. */
  add(key: string, points: number): Promise<StoredCount>;
  reset(key: string): Promise<void>;
};

/** Creates one store per limit, because each has its own window length. */
export type RateStores = (name: string, windowSeconds: number) => RateStore;

/** Counts in Redis. `client` is an ioredis client; `prefix` starts every key. */
export function redisRateStores(client: object, prefix: string): RateStores {
  return (name, duration) =>
    fromLimiter(
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `${prefix}:rate:${name}`,
        duration,
        points: 0, // the limit is compared elsewhere; here it is only counted
        rejectIfRedisNotReady: true,
      }),
    );
}

/** Counts in the table `rate_limits`; rows of ended windows are removed by the library. */
export function postgresRateStores(db: Db): RateStores {
  return (name, duration) =>
    fromLimiter(
      new RateLimiterPostgres({
        storeClient: db,
        storeType: "knex",
        tableName: "rate_limits",
        tableCreated: true,
        keyPrefix: name,
        duration,
        points: 0, // the limit is compared elsewhere; here it is only counted
      }),
    );
}

type LibraryLimiter = Pick<RateLimiterRedis, "penalty" | "delete">;

function fromLimiter(limiter: LibraryLimiter): RateStore {
  return {
    add: async (key, points) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
      return { total: consumedPoints, resetMs: msBeforeNext };
    },
    reset: async (key) => {
      await limiter.delete(key);
    },
  };
}

/**
 * Closable stores: after the close they reject immediately, so that a late flush does not use a
 * pool that is being closed.
 */
export function closableRateStores(stores: RateStores): { stores: RateStores; close(): void } {
  let isClosed = false;
  const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) {
      throw new Error("The rate limits are closed");
    }
    return work();
  };
  return {
    stores: (name, windowSeconds) => {
      const store = stores(name, windowSeconds);
      return {
        add: (key, points) => whileOpen(() => store.add(key, points)),
        reset: (key) => whileOpen(() => store.reset(key)),
      };
    },
    close: () => {
      isClosed = true;
    },
  };
}
