import type { ChildProcess } from "node:child_process";
import { open, readFile, rm, stat, type FileHandle } from "node:fs/promises";
import type { Launcher } from "./launcher.ts";
import {
  EmbeddedPostgresError,
  isPidTaken,
  isPostgresOf,
  signalProcess,
  waitUntilGone,
} from "./processes.ts";
import { join } from "node:path";
import type { Logger } from "../../platform/logger.ts";
import { readIfThere } from "./data-dir.ts";

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

/** The last lines of the server's log, for error messages. */
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
  // Two lines every five minutes would fill a log that is never rotated.
  log_checkpoints: "off",
};

/**
 * Starts the server in its own session: Ctrl-C in the terminal must not stop it before the work in
 * flight is stored. It therefore survives a kill of this process.
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
 * Stops the server: fast shutdown, then immediate shutdown (the next start recovers, nothing
 * committed is lost), then SIGKILL.
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
 * The server that runs on this cluster, if any. Postgres itself removes the pid file of a dead
 * server, after looking for its backends. It refuses to start if another program got the pid (common
 * after a container restart), or if the dead server is a zombie. Such a file, and an empty one from
 * a full disk, is removed here.
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
  if (named === undefined ? await isRecentFile(path) : !isPidTaken(named.pid)) {
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

/** Postgres creates its pid file empty: a recent empty one may belong to a server that starts now. */
const newFileMs = 1_000;

async function isRecentFile(path: string): Promise<boolean> {
  const changedAt = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  return changedAt !== undefined && Math.abs(Date.now() - changedAt) < newFileMs;
}

/**
 * A server that starts at this moment may have replaced the file, so it is read once more. Postgres
 * shuts a server down that lost its pid file; the supervision would start it again.
 */
async function removeStalePidFile(path: string, staleText: string): Promise<void> {
  if ((await readIfThere(path)) === staleText) {
    await rm(path, { force: true });
  }
}
