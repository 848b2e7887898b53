import type { QueueBackend } from "../../src/platform/queue/backend.ts";
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
 * The contract of the queue: defines the same tests twice, once with the queue on Redis and once
 * with it on Postgres. For tests whose subject is the queue.
 */
export function onBothBackends(define: (kind: BackendKind) => void): void {
  defineOn(["redis", "postgres"], define);
}

/**
 * What every backend keeps: defines the same tests for each, by night also for a Redis Cluster, which
 * takes seconds to start. They get the backend from `useBackend`.
 */
export function onEveryBackend(define: (kind: QueueBackend["kind"]) => void): void {
  defineOn(["redis", "postgres", ...(isNight ? (["redis-cluster"] as const) : [])], define);
}

/** A queue for the surrounding `describe`, with the server that it needs. */
export function useBackend(kind: QueueBackend["kind"]): () => QueueBackend {
  if (kind !== "postgres") {
    return useRedisBackend(kind);
  }
  const database = useDatabase();
  return () => ({ kind, url: database.url, namespace: queueSchema });
}

/** The same on Redis. */
export function useRedisBackend(kind: RedisBackend["kind"]): () => RedisBackend {
  if (kind === "redis-cluster") {
    const cluster = useRedisCluster();
    return () => ({ kind, urls: cluster().urls, namespace: "cluster" });
  }
  const redis = useRedis();
  return () => ({ kind, url: redis.url, namespace: redis.prefix });
}

/** For tests that need a queue and are not about it: on this one, at night on both. */
export function onBackend(usual: BackendKind, define: (kind: BackendKind) => void): void {
  defineOn(isNight ? ["redis", "postgres"] : [usual], define);
}

/** The file's own queue: its key prefix on Redis, its database's queue schema on Postgres. */
export function backendOf(
  kind: BackendKind,
  database: TestDatabase,
  redis: TestRedis,
): Exclude<QueueBackend, { kind: "redis-cluster" }> {
  return kind === "redis"
    ? { kind, url: redis.url, namespace: redis.prefix }
    : { kind, url: database.url, namespace: queueSchema };
}

/** The same for a spawned process: without a REDIS_URL its queue is in Postgres. */
export function backendEnvironment(
  kind: BackendKind,
  database: TestDatabase,
  redis: TestRedis,
): Record<string, string> {
  return kind === "redis"
    ? { DATABASE_URL: database.url, REDIS_URL: redis.url, QUEUE_PREFIX: redis.prefix }
    : { DATABASE_URL: database.url, QUEUE_PREFIX: queueSchema };
}
