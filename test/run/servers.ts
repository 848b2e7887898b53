import type { ServerName } from "../support/environment.ts";
import { startPostgresServer } from "../support/postgres-server.ts";
import { provideRedis } from "./provide-redis.ts";
import { createTemplate } from "./template.ts";

export type ServerKind = "postgres" | "redis";

export type Servers = {
  /** Addresses of the requested servers, as read by test/support/environment.ts. */
  env: Partial<Record<ServerName, string>>;
  stop(): Promise<void>;
};

/**
 * Starts one server of each requested kind for the whole run, Postgres with the template database.
 * If one fails, stops the others.
 */
export async function startServers(
  needs: readonly ServerKind[],
  say: (line: string) => void,
): Promise<Servers> {
  const env: Servers["env"] = {};
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map(async (stopOne) => stopOne()));
  };
  try {
    if (needs.includes("redis")) {
      const redis = await provideRedis(say);
      stops.push(redis.stop);
      env.TEST_REDIS_URL = redis.url;
    }
    if (needs.includes("postgres")) {
      const postgres = await startPostgresServer();
      stops.push(postgres.stop);
      env.TEST_DATABASE_URL = postgres.url;
      env.TEST_TEMPLATE = await createTemplate(postgres.url);
    }
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
