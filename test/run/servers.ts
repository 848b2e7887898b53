import { startPostgresServer } from "../support/postgres-server.ts";
import { provideRedis } from "./provide-redis.ts";
import { createTemplate } from "./template.ts";

export type Servers = {
  /** What test/support/environment.ts reads. */
  env: { TEST_DATABASE_URL: string; TEST_TEMPLATE: string; TEST_REDIS_URL: string };
  stop(): Promise<void>;
};

/** One Postgres with the template and one Redis for the whole run; both, or none is left over. */
export const startServers = async (say: (line: string) => void): Promise<Servers> => {
  const redis = await provideRedis(say);
  const stops = [redis.stop];
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map(async (stopOne) => stopOne()));
  };
  try {
    const postgres = await startPostgresServer();
    stops.push(postgres.stop);
    const template = await createTemplate(postgres.url);
    return {
      env: {
        TEST_DATABASE_URL: postgres.url,
        TEST_TEMPLATE: template,
        TEST_REDIS_URL: redis.url,
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
