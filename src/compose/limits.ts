/** Composition of the rate limits: in Redis, or in Postgres where there is none. */
import type { Platform } from "./platform.ts";
import { createLimits, type Limits } from "../http/limits.ts";
import {
  closableRateStores,
  postgresRateStores,
  redisRateStores,
  type RateStores,
} from "../http/rate-store.ts";
import { openRedis } from "../platform/queue/backend.ts";

export function composeLimits(platform: Platform): Limits {
  return createLimits(platform.config.limits, openRateStores(platform));
}

function openRateStores({ config, db, log, lifecycle }: Platform): RateStores {
  if (config.redisUrl === undefined) {
    const { stores, close } = closableRateStores(postgresRateStores(db));
    lifecycle.onStop("rate limits", async () => close());
    return stores;
  }
  const redis = openRedis(config.redisUrl);
  redis.on("error", (error: Error) => log.debug({ reason: error.message }, "limits.redis_error"));
  lifecycle.onStop("rate limits", async () => redis.disconnect());
  return redisRateStores(redis, config.queuePrefix);
}
