import { migrateUp } from "../../src/platform/db/migrate.ts";
import { openPool } from "../../src/platform/db/pool.ts";
import { migrateQueue } from "../../src/platform/queue/postgres.ts";
import { queueSchema } from "../support/backends.ts";

/**
 * Creates the database that every test file clones: all migrations of this build, and the tables of
 * the queue. Named after the run, so that concurrent runs on one server do not conflict.
 */
export async function createTemplate(adminUrl: string): Promise<string> {
  const name = `template_${process.pid}_${Date.now()}`;
  const admin = openPool({ url: adminUrl, maxConnections: 1, name: "test run" });
  try {
    await admin.raw("CREATE DATABASE ??", [name]);
  } finally {
    await admin.destroy();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const db = openPool({ url: url.href, maxConnections: 2, name: "test run" });
  try {
    await migrateUp(db);
  } finally {
    await db.destroy();
  }
  await migrateQueue(url.href, queueSchema);
  return name;
}
