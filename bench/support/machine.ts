import { execFile } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rowsOf } from "../../src/platform/db/pool.ts";
import type { Stack } from "./stack.ts";

/** The machine and the versions of a measurement. */
export async function describeMachine({ db }: Stack) {
  const [row] = await rowsOf<{ version: string; fsync: string; commit: string }>(
    db,
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS commit`,
  );
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    loadBefore: loadavg()[0] ?? 0,
    node: process.version,
    postgres: row?.version ?? "unknown",
    fsync: row?.fsync ?? "unknown",
    synchronousCommit: row?.commit ?? "unknown",
  };
}

export type Machine = Awaited<ReturnType<typeof describeMachine>>;

const run = promisify(execFile);

/** Files that a run itself writes, which therefore do not count as uncommitted changes. */
const recordedFiles = [":!bench/history.json", ":!docs/performance.md"];

/** The measured commit, with a `+` if there are uncommitted changes. */
export async function currentCommit(): Promise<string> {
  const cwd = join(import.meta.dirname, "../..");
  const { stdout: commit } = await run("git", ["rev-parse", "--short=10", "HEAD"], { cwd });
  const status = ["status", "--porcelain", "--", ".", ...recordedFiles];
  const { stdout: changes } = await run("git", status, { cwd });
  return `${commit.trim()}${changes === "" ? "" : "+"}`;
}
