// TEMPORARY until src/platform/embedded exists: Debian's Postgres started by hand.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { eventually } from "./eventually.ts";
import { findFreePort } from "./ports.ts";

export const startPostgresServer = async () => {
  const dir = await mkdtemp("/tmp/sightline-pg-");
  const uid = Number(execFileSync("id", ["-u", "postgres"]).toString());
  const gid = Number(execFileSync("id", ["-g", "postgres"]).toString());
  await chown(dir, uid, gid);
  const bin = "/usr/lib/postgresql/15/bin";
  const data = join(dir, "data");
  execFileSync(`${bin}/initdb`, ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"], { uid, gid, cwd: dir });
  const port = await findFreePort();
  const child = spawn(
    `${bin}/postgres`,
    ["-D", data, "-p", String(port), "-k", dir, ...["fsync=off", "synchronous_commit=off", "full_page_writes=off", "listen_addresses=127.0.0.1", "max_connections=300"].flatMap((s) => ["-c", s])],
    { uid, gid, cwd: dir, stdio: "ignore" },
  );
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await eventually(
    async () => {
      const client = new pg.Client({ connectionString: url });
      client.on("error", () => undefined);
      await client.connect();
      await client.end();
    },
    { timeoutMs: 20_000 },
  );
  return {
    url,
    stop: async () => {
      child.kill("SIGQUIT");
      await once(child, "exit");
      await rm(dir, { recursive: true, force: true });
    },
  };
};
