import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../../src/embedded/postgres/embedded-postgres.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { openPool } from "../../src/platform/db/pool.ts";
import { eventually } from "./eventually.ts";
import { afterOurDeath } from "./reaper.ts";

export type PostgresServer = {
  /** Connection URL of a superuser, including the database. Remains valid after restarts. */
  readonly url: string;
  readonly pid: number;
  /** Like `pg_ctl restart -m immediate`: no checkpoint, all connections closed. */
  restartImmediately(): Promise<void>;
  stop(): Promise<void>;
};

/** Without durability, because no data has to survive a crash of the machine. */
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "600",
  // Autovacuum would take locks and change plans at random times.
  autovacuum: "off",
  // Checkpoints are unnecessary without durability.
  checkpoint_timeout: "1h",
  bgwriter_lru_maxpages: "0",
  // The tables are so small that starting parallel workers costs more than the query.
  max_parallel_workers_per_gather: "0",
};

/** The embedded server is designed to outlive its owner. */
const killAndRemove =
  'p="$1/data/postgres/postmaster.pid"; test -f "$p" && kill -QUIT "$(head -n 1 "$p")"; ' +
  'sleep 1; rm -rf -- "$1"';

async function waitUntilReady(url: string): Promise<void> {
  const db = openPool({ url, maxConnections: 1, name: "test server" });
  try {
    await eventually(() => db.raw("SELECT 1"), { timeoutMs: 20_000 });
  } finally {
    await db.destroy();
  }
}

/**
 * A separate Postgres server: the embedded one, in a folder that is removed at the end. Fault tests
 * that need durability override `settings`.
 */
export async function startPostgresServer(
  overrides: Record<string, string> = {},
): Promise<PostgresServer> {
  const dir = await mkdtemp(join(tmpdir(), "sightline-postgres-"));
  // As root, the server runs as a different user, who needs access to the folder.
  await chmod(dir, 0o711);
  const reaper = afterOurDeath(killAndRemove, dir);
  const server = await startEmbeddedPostgres({
    dataDir: join(dir, "data"),
    log: createLogger("silent", "test"),
    settings: { ...settings, ...overrides },
  });
  return {
    url: server.url,
    get pid() {
      return server.pid;
    },
    restartImmediately: async () => {
      const before = server.pid;
      process.kill(before, "SIGQUIT");
      await eventually(() => server.pid !== before, { timeoutMs: 20_000 });
      await waitUntilReady(server.url);
    },
    stop: async () => {
      await server.stop();
      reaper.dismiss();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
