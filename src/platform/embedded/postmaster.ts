import type { ChildProcess } from "node:child_process";
import { open, readFile, type FileHandle } from "node:fs/promises";
import type { Launcher } from "./launcher.ts";
import { EmbeddedPostgresError } from "./errors.ts";
import { signalProcess, waitUntilGone } from "./processes.ts";

export type ServerSettings = Readonly<Record<string, string>>;

export type PostmasterDeps = {
  launcher: Launcher;
  postgres: string;
  clusterDir: string;
  logFile: string;
  settings: ServerSettings;
};

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
