import { wordsOf, type Notify, type WakeTopic } from "../db/notify.ts";
import type { Logger } from "../logger.ts";
import type { QueueBackend } from "./job-queue.ts";
import { openRedis, openWorkerRedis, type RedisClient } from "./redis.ts";

/** The topic that every write wakes. The others are rare, and stay with Postgres. */
const topicOnRedis: WakeTopic = "outbox";

type Closable = { close: () => void };

/**
 * Wakes the relay over Redis if a single Redis stores the queues. Postgres would run a statement
 * for it, and wake every process that listens to any topic. `overPostgres` sends the other topics,
 * and what no relay hears over Redis. A node of a cluster cannot say whether anybody hears.
 */
export function openNotify(
  backend: QueueBackend,
  overPostgres: Notify,
  log: Logger,
): Closable & { notify: Notify } {
  if (backend.kind !== "redis") {
    return { notify: overPostgres, close: () => undefined };
  }
  let redis: RedisClient | undefined;
  const connect = (): RedisClient => withErrorLog(openRedis(backend), log);
  const publish = async (payload: string): Promise<boolean> => {
    redis ??= connect(); // many processes never write an event
    try {
      return (await redis.publish(channelOf(backend), payload)) > 0;
    } catch {
      return false;
    }
  };
  return {
    notify: async (topic, payloads) =>
      (topic === topicOnRedis && (await publish(payloads.join(" ")))) ||
      overPostgres(topic, payloads),
    close: () => redis?.disconnect(),
  };
}

/**
 * Calls back on every wake-up over Redis with its words, and without words after each reconnection,
 * because wake-ups were lost in between.
 */
export function listenOnRedis(
  backend: QueueBackend,
  wake: (words: readonly string[]) => void,
  log: Logger,
): Closable {
  if (backend.kind !== "redis") {
    return { close: () => undefined };
  }
  const redis = withErrorLog(openWorkerRedis(backend), log);
  redis.on("message", (_channel: string, payload: string) => wake(wordsOf(payload)));
  redis.on("ready", () => wake([]));
  // Waits for Redis. After a lost connection the client subscribes again by itself.
  redis.subscribe(channelOf(backend)).catch((error: Error) => {
    log.debug({ reason: error.message }, "wake.not_subscribed");
  });
  return { close: () => redis.disconnect() };
}

function withErrorLog(redis: RedisClient, log: Logger): RedisClient {
  return redis.on("error", (error: Error) => {
    log.debug({ reason: error.message }, "wake.redis_error");
  });
}

function channelOf({ namespace }: QueueBackend): string {
  return `${namespace}:wake:${topicOnRedis}`;
}
