import { execFile } from "node:child_process";
import { readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { sleep } from "../../platform/concurrency/async.ts";

/** The embedded Postgres cannot be started. The message says what to do. */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EmbeddedPostgresError";
  }
}

/** Another Sightline process holds this data folder. */
export class DataDirBusyError extends Error {
  constructor(dataDir: string, pid: number | undefined) {
    const who = pid === undefined ? "" : ` (process ${pid})`;
    super(
      `Sightline already runs on the data folder ${dataDir}${who}. ` +
        "Stop it first, or set DATA_DIR to another folder.",
    );
    this.name = "DataDirBusyError";
  }
}

export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
    ? thrown.code
    : undefined;
}

/** Sends a signal; ignores a process that is gone. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    if (codeOf(thrown) !== "ESRCH") {
      throw thrown;
    }
  }
}

/** False if the process is still alive after `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await isAlive(pid)) {
    if (performance.now() > deadline) {
      return false;
    }
    await sleep(20);
  }
  return true;
}

export async function isAlive(pid: number): Promise<boolean> {
  return isPidTaken(pid) && !(await isZombie(pid));
}

/** True while any process, zombies included, has this pid. */
export function isPidTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== "ESRCH";
  }
}

/** In a container without an init process a dead orphan stays a zombie. */
async function isZombie(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return /^[ZX]/u.test(text.slice(text.lastIndexOf(")") + 2));
}

/**
 * Whether a process is the Postgres server of this folder, and not another program with the pid of
 * a dead one. Folders are compared by inode: a folder may have been moved while the server ran, and a
 * copied folder holds a pid file that names the server of the original.
 */
export async function isPostgresOf(pid: number, dir: string): Promise<boolean> {
  const args = await argumentsOf(pid);
  if (args === undefined) {
    return resemblesPostgresOf(pid, dir);
  }
  if (basename(args[0] ?? "") !== "postgres") {
    return false;
  }
  const cwd = `/proc/${pid}/cwd`;
  if (await readlink(cwd).catch(() => undefined)) {
    return isSameFolder(cwd, dir).catch(() => false);
  }
  // Root without CAP_SYS_PTRACE (most containers) may not read the cwd of another user's process.
  const named = args[args.indexOf("-D") + 1] ?? "";
  return (await realpath(named).catch(() => named)) === (await realpath(dir).catch(() => dir));
}

async function argumentsOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  return text?.split("\0").filter((part) => part !== "");
}

const run = promisify(execFile);

/** Without /proc: the command line that `ps` shows must name the program and the folder. */
async function resemblesPostgresOf(pid: number, dir: string): Promise<boolean> {
  const { stdout } = await run("ps", ["-o", "command=", "-p", String(pid)]).catch(() => ({
    stdout: "",
  }));
  return stdout.includes("postgres") && stdout.includes(dir);
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other)]);
  return a.dev === b.dev && a.ino === b.ino;
}
