import type { QueueBackend } from "../../src/platform/queue/backend.ts";
import { isNight } from "./night.ts";
import type { TestDatabase } from "./database.ts";
import type { TestRedis } from "./redis.ts";

export type BackendKind = QueueBackend["kind"];

/** The name of the queue's schema in the template database. */
export const queueSchema = "sightline";

function defineOn(kinds: readonly BackendKind[], define: (kind: BackendKind) => void): void {
  for (const kind of kinds) {
    describe(`with the queue on ${kind === "redis" ? "Redis" : "Postgres"}`, () => {
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

/** For tests that need a queue and are not about it: on this one, at night on both. */
export function onBackend(usual: BackendKind, define: (kind: BackendKind) => void): void {
  defineOn(isNight ? ["redis", "postgres"] : [usual], define);
}

/** The file's own queue: its key prefix on Redis, its database's queue schema on Postgres. */
export function backendOf(
  kind: BackendKind,
  database: TestDatabase,
  redis: TestRedis,
): QueueBackend {
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
