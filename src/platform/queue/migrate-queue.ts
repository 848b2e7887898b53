import { runMigrations } from "bullmq";
import pg from "pg";

/**
 * Brings BullMQ's tables in `schema` up to date. A queue that was opened before works
 * within seconds of it. Several processes may call it at once.
 */
export async function migrateQueue(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
}
