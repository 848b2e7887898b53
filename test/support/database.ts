import { randomBytes } from "node:crypto";
import { openPool, rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { fromRunner } from "./environment.ts";
import { eventually } from "./eventually.ts";
import { insideDescribe } from "./scope.ts";

export type TestDatabase = { readonly db: Db; readonly url: string; readonly name: string };

async function onServer<T>(work: (admin: Db) => Promise<T>): Promise<T> {
  const admin = openPool({ url: fromRunner("TEST_DATABASE_URL"), maxConnections: 1, name: "test" });
  try {
    return await work(admin);
  } finally {
    await admin.destroy();
  }
}

function urlOf(name: string): string {
  const url = new URL(fromRunner("TEST_DATABASE_URL"));
  url.pathname = `/${name}`;
  return url.href;
}

/** A migrated database without rows, except those of the migrations. */
export async function cloneTemplate(): Promise<{ name: string; url: string }> {
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await onServer(async (admin) => {
    await admin.raw("CREATE DATABASE ?? TEMPLATE ??", [name, fromRunner("TEST_TEMPLATE")]);
  });
  return { name, url: urlOf(name) };
}

/** An empty database, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<{ name: string; url: string }> {
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await onServer(async (admin) => {
    await admin.raw("CREATE DATABASE ??", [name]);
  });
  return { name, url: urlOf(name) };
}

async function listConnections(admin: Db, name: string): Promise<string[]> {
  const rows = await rowsOf<{ application_name: string; state: string | null; query: string }>(
    admin,
    `SELECT application_name, state, left(query, 80) AS query
       FROM pg_stat_activity WHERE datname = ? AND backend_type = 'client backend'`,
    [name],
  );
  return rows.map((row) => `"${row.application_name}" (${row.state ?? "?"}: ${row.query})`);
}

/** Removes the database. Throws if a connection is open, which is a leaked pool. */
export async function dropDatabase(name: string): Promise<void> {
  await onServer(async (admin) => {
    let left: string[] = [];
    try {
      await eventually(
        async () => {
          left = await listConnections(admin, name);
          return left.length === 0;
        },
        { timeoutMs: 15_000 },
      );
    } catch {
      throw new Error(`Connections to the test's database were left open: ${left.join("; ")}`);
    } finally {
      await admin.raw("DROP DATABASE IF EXISTS ?? WITH (FORCE)", [name]);
    }
  });
}

/**
 * A separate migrated database for the surrounding `describe`: a clone of the template, created
 * before its first test and dropped after its last. Close your connections in a separate `after`.
 */
export function useDatabase(): TestDatabase {
  let opened: { db: Db; url: string; name: string } | undefined;
  before("clone the database", async function () {
    insideDescribe(this, "useDatabase");
    this.timeout(30_000);
    const clone = await cloneTemplate();
    opened = { ...clone, db: openPool({ url: clone.url, maxConnections: 10, name: "test" }) };
  });
  after("drop the database", async function () {
    this.timeout(30_000);
    if (opened !== undefined) {
      await opened.db.destroy();
      await dropDatabase(opened.name);
    }
  });
  const get = (): { db: Db; url: string; name: string } => {
    if (opened === undefined) {
      throw new Error("The database exists inside tests and hooks only");
    }
    return opened;
  };
  return {
    get db() {
      return get().db;
    },
    get url() {
      return get().url;
    },
    get name() {
      return get().name;
    },
  };
}
