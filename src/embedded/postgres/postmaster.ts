import type { ChildProcess } from "node:child_process";
import { open, readFile, type FileHandle, link, rename, stat, unlink } from "node:fs/promises";
import type { Launcher } from "./launcher.ts";
import { EmbeddedPostgresError, codeOf } from "./errors.ts";
import { signalProcess, waitUntilGone, isNumberTaken, isPostgresOf } from "./processes.ts";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "../../platform/logger.ts";
import { readIfThere } from "./secret-files.ts";

export type ServerSettings = Readonly<Record<string, string>>;

export type PostmasterDeps = {
  launcher: Launcher;
  postgres: string;
  clusterDir: string;
  logFile: string;
  settings: ServerSettings;
};

/** A running server of a cluster; the port is not known while it has only just started. */
export type RunningServer = { pid: number; port: number | undefined };

/** The end of the server's log, for an error that has to explain why it did not start. */
export async function readLogTail(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.trimEnd().split("\n").slice(-4).join(" | ");
}

const defaults: ServerSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "128MB",
  fsync: "on",
  synchronous_commit: "on",
  max_wal_size: "2GB",
  password_encryption: "scram-sha-256",
  timezone: "UTC",
  log_timezone: "UTC",
  // Two lines every five minutes, for ever, in a log that nobody rotates.
  log_checkpoints: "off",
};

/**
 * Starts the server in a session of its own: Ctrl-C in the terminal must not reach it before what
 * is in flight has been written. It therefore outlives a kill of this process.
 */
export async function spawnPostmaster(deps: PostmasterDeps, port: number): Promise<ChildProcess> {
  const settings = { ...defaults, ...deps.settings, port: String(port) };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = await openLog(deps.logFile, deps.launcher);
  try {
    const args = ["-D", deps.clusterDir, ...flags];
    const child = deps.launcher.spawn(deps.postgres, args, { output: log.fd, detached: true });
    child.on("error", () => undefined);
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

const maxLogBytes = 10 * 1024 * 1024;

async function openLog(path: string, launcher: Launcher): Promise<FileHandle> {
  const file = await open(path, "a", 0o600);
  if ((await file.stat()).size > maxLogBytes) {
    await file.truncate(0);
  }
  if (launcher.user !== undefined) {
    await file.chown(launcher.user.uid, launcher.user.gid);
  }
  return file;
}

/**
 * Sets the superuser's password where the file with it was lost: a server in single-user mode
 * asks for none. The cluster must not run.
 */
export async function resetPassword(
  deps: PostmasterDeps,
  user: string,
  password: string,
): Promise<void> {
  const args = ["--single", "-D", deps.clusterDir, "-c", "password_encryption=scram-sha-256"];
  await deps.launcher.run(deps.postgres, [...args, "postgres"], {
    input: `ALTER ROLE ${user} PASSWORD '${password}'\n`,
  });
}

/**
 * Stops a server for good: first so that it ends its connections and writes everything out, then
 * at once (it recovers at the next start; nothing committed is lost), then by force.
 */
export async function stopPostmaster(
  pid: number,
  { fastMs = 10_000, immediateMs = 6_000 } = {},
): Promise<void> {
  const steps = [
    ["SIGINT", fastMs],
    ["SIGQUIT", immediateMs],
    ["SIGKILL", 2_000],
  ] as const;
  for (const [signal, waitMs] of steps) {
    signalProcess(pid, signal);
    if (await waitUntilGone(pid, waitMs)) {
      return;
    }
  }
  throw new EmbeddedPostgresError(`The Postgres server with process id ${pid} does not stop`);
}

/**
 * The server that runs on this cluster, if any. Postgres itself clears the file of a dead server
 * away, and looks for survivors of it first; so that is left to it. What Postgres cannot tell is
 * another program that got the number, or a dead server that nobody collected: such a file, and
 * one that a full disk cut off, is removed here.
 */
export async function findServer(
  clusterDir: string,
  log: Logger,
): Promise<RunningServer | undefined> {
  const path = join(clusterDir, "postmaster.pid");
  const text = await readIfThere(path);
  if (text === undefined) {
    return undefined;
  }
  const named = parsePidFile(text);
  if (named === undefined ? await isRecentFile(path) : !isNumberTaken(named.pid)) {
    return undefined;
  }
  if (named !== undefined && (await isPostgresOf(named.pid, clusterDir))) {
    return named;
  }
  log.info({ pid: named?.pid ?? null }, "embedded.stale_pid_file_removed");
  await removeStalePidFile(path, text);
  return undefined;
}

function parsePidFile(text: string): RunningServer | undefined {
  const lines = text.split("\n");
  // A server in single-user mode writes its pid with a minus.
  const pid = Math.abs(Number.parseInt(lines[0] ?? "", 10));
  const port = Number.parseInt(lines[3] ?? "", 10);
  return pid > 0 ? { pid, port: port > 0 ? port : undefined } : undefined;
}

/**
 * Postgres makes its file first and writes to it then, so one that says nothing may be that of a
 * server which starts at this moment. Without it that server would run, but never tell its port.
 */
const newFileMs = 1_000;

async function isRecentFile(path: string): Promise<boolean> {
  const changedAt = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  return changedAt !== undefined && Math.abs(Date.now() - changedAt) < newFileMs;
}

/**
 * Removes a pid file that was judged on the given text. A server that starts at this moment may
 * have replaced it meanwhile; it would shut itself down without its file, so that one is put back.
 */
async function removeStalePidFile(path: string, judged: string): Promise<void> {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") {
      return;
    }
    throw thrown;
  }
  if ((await readIfThere(aside)) !== judged) {
    await link(aside, path).catch(() => undefined);
  }
  await unlink(aside);
}
