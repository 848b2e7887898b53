import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, stat } from "node:fs/promises";
import { promisify } from "node:util";
import type { Logger } from "../../platform/logger.ts";
import { toError } from "../../platform/errors.ts";
import type { Binaries } from "./binaries.ts";
import { codeOf, EmbeddedPostgresError } from "./errors.ts";

/** Postgres refuses to run as root; this is whom root runs it as. */
export type ServerUser = { uid: number; gid: number };

/** Where the output goes: a file descriptor, or both pipes for `run`. */
type SpawnOptions = { output: number | "pipe"; detached: boolean };

export type Launcher = {
  /** Undefined: the programs run as the user of this process. */
  readonly user: ServerUser | undefined;
  spawn(file: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Runs a program to its end. Rejects with its last words where it fails. */
  run(file: string, args: readonly string[], options?: RunOptions): Promise<string>;
};

export type RunOptions = { input?: string; signal?: AbortSignal | undefined; timeoutMs?: number };

/**
 * Nothing of our own environment: PGDATA, PGPORT and the like would change what the server does,
 * and its environment is readable to its user.
 */
const env = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};

type LaunchMethod = { prefix: readonly string[]; ids: { uid?: number; gid?: number } };

/** The user whom root runs Postgres as; undefined where this process is not root. */
export async function chooseServerUser(clusterDir: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const user =
    (await ownerOf(clusterDir)) ?? (await lookUpUser("postgres")) ?? (await lookUpUser("nobody"));
  if (user === undefined) {
    throw new EmbeddedPostgresError(
      "Postgres does not run as root, and this machine has neither a user postgres nor nobody. " +
        "Add one (useradd --system postgres), start as an ordinary user, or set DATABASE_URL.",
    );
  }
  return user;
}

/** Data that an ordinary user made stays that user's when root runs the platform on it. */
async function ownerOf(clusterDir: string): Promise<ServerUser | undefined> {
  try {
    const { uid, gid } = await stat(clusterDir);
    return uid === 0 ? undefined : { uid, gid };
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") {
      return undefined;
    }
    throw thrown;
  }
}

const execute = promisify(execFile);

async function lookUpUser(name: string): Promise<ServerUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([
      execute("id", ["-u", name], { env }),
      execute("id", ["-g", name], { env }),
    ]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/**
 * How programs are run on this data folder: as ourselves, or from root as `user`, plainly where
 * that user can reach everything, else with the capability to pass through closed folders.
 */
export async function chooseLauncher(
  { dataDir, binaries, log }: { dataDir: string; binaries: Binaries; log: Logger },
  user: ServerUser | undefined,
): Promise<Launcher> {
  if (user === undefined) {
    return createLauncher({ prefix: [], ids: {} }, undefined);
  }
  await letOthersExecute(binaries);
  const ways: LaunchMethod[] = [
    { prefix: [], ids: user },
    { prefix: ["setpriv", ...setprivArguments(user)], ids: {} },
  ];
  const faults: Error[] = [];
  for (const way of ways) {
    const launcher = createLauncher(way, user);
    try {
      await probe(launcher, dataDir, binaries.postgres);
      return launcher;
    } catch (thrown) {
      const fault = toError(thrown);
      log.debug({ uid: user.uid, reason: fault.message }, "embedded.user_switch_failed");
      faults.push(fault);
    }
  }
  throw new EmbeddedPostgresError(
    `Postgres does not run as root, and the user with id ${user.uid} cannot reach ` +
      `${binaries.postgres} or ${dataDir} (${faults.map(({ message }) => message).join("; ")}). ` +
      "Open the folders above them (chmod o+x), install setpriv (util-linux), start Sightline " +
      "as an ordinary user, or set DATABASE_URL.",
    { cause: faults[0] },
  );
}

function createLauncher({ prefix, ids }: LaunchMethod, user: ServerUser | undefined): Launcher {
  const start: Launcher["spawn"] = (file, args, { output, detached }) => {
    const [program = file, ...rest] = [...prefix, file, ...args];
    const stdio = output === "pipe" ? "pipe" : (["ignore", output, output] as const);
    return spawn(program, rest, { env, cwd: "/", detached, stdio: stdio as "pipe", ...ids });
  };
  return {
    user,
    spawn: start,
    run: async (file, args, { input = "", signal, timeoutMs = 120_000 } = {}) => {
      const child = start(file, args, { output: "pipe", detached: false });
      const output = collect(child);
      const end = (): void => void child.kill("SIGTERM");
      const timer = setTimeout(end, timeoutMs);
      signal?.addEventListener("abort", end);
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
      try {
        const [code] = (await once(child, "close")) as [number | null];
        if (code !== 0) {
          throw new EmbeddedPostgresError(`${file} failed: ${output() || `exit code ${code}`}`);
        }
        return output();
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
      }
    },
  };
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8").trim();
}

/** An installation under umask 077 leaves programs that nobody but root may execute. */
async function letOthersExecute(binaries: Binaries): Promise<void> {
  for (const file of [binaries.initdb, binaries.postgres]) {
    const { mode } = await stat(file);
    if ((mode & 0o005) !== 0o005) {
      await chmod(file, mode | 0o055);
    }
  }
}

/**
 * A change of user that keeps the one capability to pass through folders and read files of
 * others, for a project below a folder that only root may enter. `no_setuid_fixup` keeps the
 * capability over the change, `noroot` makes access(2) count it.
 */
function setprivArguments({ uid, gid }: ServerUser): string[] {
  return [
    ...["--reuid", String(uid), "--regid", String(gid), "--clear-groups"],
    ...["--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"],
    ...["--bounding-set=-all,+dac_read_search", "--securebits", "+no_setuid_fixup,+noroot"],
  ];
}

/** Can the server's user reach its program, the libraries and the data folder on this way? */
async function probe(launcher: Launcher, dataDir: string, postgres: string): Promise<void> {
  await launcher.run("/bin/sh", ["-c", 'cd "$1" && exec "$2" --version', "sh", dataDir, postgres], {
    timeoutMs: 10_000,
  });
}
