import type { QueueBackend } from "../../src/platform/queue/job-queue.ts";
import { useDatabase, type TestDatabase } from "./database.ts";
import { isNight } from "./night.ts";
import { useRedisCluster } from "./redis-cluster.ts";
import { useRedis, type TestRedis } from "./redis.ts";

export type BackendKind = Exclude<QueueBackend["kind"], "redis-cluster">;

type RedisBackend = Exclude<QueueBackend, { kind: "postgres" }>;

/** The name of the queue's schema in the template database. */
export const queueSchema = "sightline";

const titles = { redis: "Redis", postgres: "Postgres", "redis-cluster": "a Redis Cluster" };

function defineOn<Kind extends QueueBackend["kind"]>(
  kinds: readonly Kind[],
  define: (kind: Kind) => void,
): void {
  for (const kind of kinds) {
    describe(`with the queue on ${titles[kind]}`, () => {
      define(kind);
    });
  }
}

/**
 * Defines the same tests twice: with the queue on Redis, and with the queue on Postgres. For tests
 * that are about the queue.
 */
export function onBothBackends(define: (kind: BackendKind) => void): void {
  defineOn(["redis", "postgres"], define);
}

/**
 * Defines the same tests for each backend, in the nightly run also for a Redis Cluster, whose start
 * takes seconds. `useBackend` opens the backend.
 */
export function onEveryBackend(define: (kind: QueueBackend["kind"]) => void): void {
  defineOn(["redis", "postgres", ...(isNight ? (["redis-cluster"] as const) : [])], define);
}

/** A queue for the tests of the surrounding `describe`, with the server that it needs. */
export function useBackend(kind: QueueBackend["kind"]): () => QueueBackend {
  if (kind !== "postgres") {
    return useRedisBackend(kind);
  }
  const database = useDatabase();
  return () => ({ kind, url: database.url, namespace: queueSchema });
}

/** The same for Redis backends. */
export function useRedisBackend(kind: RedisBackend["kind"]): () => RedisBackend {
  if (kind === "redis-cluster") {
    const cluster = useRedisCluster();
    return () => ({ kind, urls: cluster().urls, namespace: "cluster" });
  }
  const redis = useRedis();
  return () => ({ kind, url: redis.url, namespace: redis.prefix });
}

/**
 * For tests that need a queue but are not about it: on this backend, in the nightly run on both.
 */
export function onBackend(usual: BackendKind, define: (kind: BackendKind) => void): void {
  defineOn(isNight ? ["redis", "postgres"] : [usual], define);
}

/**
 * The queue of a test file: a key prefix on Redis, the queue's schema of its database on Postgres.
 */
export function backendOf(
  kind: BackendKind,
  database: TestDatabase,
  redis: TestRedis,
): Exclude<QueueBackend, { kind: "redis-cluster" }> {
  return kind === "redis"
    ? { kind, url: redis.url, namespace: redis.prefix }
    : { kind, url: database.url, namespace: queueSchema };
}

/** The same for a child process: without a REDIS_URL, its queue is in Postgres. */
export function backendEnvironment(
  kind: BackendKind,
  database: TestDatabase,
  redis: TestRedis,
): Record<string, string> {
  return kind === "redis"
    ? { DATABASE_URL: database.url, REDIS_URL: redis.url, QUEUE_PREFIX: redis.prefix }
    : { DATABASE_URL: database.url, QUEUE_PREFIX: queueSchema };
}
