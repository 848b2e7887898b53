import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  lchown,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import type { Binaries, Launcher, ServerUser } from "./launcher.ts";
import { codeOf, EmbeddedPostgresError, isAlive } from "./processes.ts";
import { readIfThere } from "./data-dir.ts";

/** Name of the superuser and of the database. */
export const superuser = "sightline";

const draftPrefix = "postgres.init-";

export type ClusterDeps = {
  dataDir: string;
  clusterDir: string;
  binaries: Binaries;
  launcher: Launcher;
  password: string;
  /** False in tests only: skips fsync. */
  isDurable: boolean;
  signal: AbortSignal;
};

/** Unique to this process: in a container an earlier one may have had the same pid. */
const thisProcess = `${process.pid}-${Math.trunc(performance.timeOrigin)}-`;

/** Ensures a complete cluster that the server's user may open. */
export async function prepareCluster(deps: ClusterDeps): Promise<{ isNew: boolean }> {
  const { clusterDir, launcher } = deps;
  await removeAbandonedDrafts(deps.dataDir);
  if ((await readIfThere(join(clusterDir, "PG_VERSION"))) === undefined) {
    if ((await listNames(clusterDir)).length > 0) {
      throw new EmbeddedPostgresError(
        `${clusterDir} contains files, but no Postgres data. Move it away, or set another DATA_DIR.`,
      );
    }
    if (await createCluster(deps)) {
      return { isNew: true };
    }
  }
  if (launcher.user !== undefined) {
    await claimForUser(clusterDir, launcher.user);
  }
  await chmod(clusterDir, 0o700);
  return { isNew: false };
}

/**
 * Removes drafts of starts that were killed. A draft stays while its process is alive, unless it is
 * so old that another program must have got the pid.
 */
async function removeAbandonedDrafts(dataDir: string): Promise<void> {
  for (const name of (await listNames(dataDir)).filter((each) => each.startsWith(draftPrefix))) {
    const path = join(dataDir, name);
    if (!(await isInUse(name, path))) {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

async function listNames(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") {
      return [];
    }
    throw thrown;
  }
}

const abandonedAfterMs = 10 * 60_000;

async function isInUse(name: string, path: string): Promise<boolean> {
  const maker = name.slice(draftPrefix.length);
  const pid = Number.parseInt(maker, 10);
  const info = await stat(path).catch(() => undefined);
  const isYoung = info !== undefined && Date.now() - info.mtimeMs < abandonedAfterMs;
  return pid === process.pid
    ? maker.startsWith(thisProcess)
    : isYoung && pid > 0 && (await isAlive(pid));
}

/**
 * Initialises a draft folder and renames it, so that a cluster under the final name is always
 * complete. False: another start was faster.
 */
async function createCluster(deps: ClusterDeps): Promise<boolean> {
  const draft = join(deps.dataDir, `${draftPrefix}${thisProcess}${randomBytes(4).toString("hex")}`);
  try {
    await initialise(deps, draft);
    await rename(join(draft, "data"), deps.clusterDir);
    await syncFolder(deps.dataDir);
    return true;
  } catch (thrown) {
    if (["ENOTEMPTY", "EEXIST"].includes(codeOf(thrown) ?? "")) {
      return false;
    }
    throw thrown;
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function initialise(deps: ClusterDeps, draft: string): Promise<void> {
  const { launcher, isDurable, signal } = deps;
  const passwordFile = join(draft, "password");
  const data = join(draft, "data");
  await mkdir(draft, { mode: 0o700 });
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, `${deps.password}\n`, { mode: 0o600, flag: "wx" });
  for (const path of [draft, data, passwordFile]) {
    await giveTo(path, launcher.user);
  }
  // Builtin collation: the sort order stays the same when the data moves to another machine.
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const flags = ["--encoding=UTF8", ...locale, "--no-instructions", ...(isDurable ? [] : ["-N"])];
  await launcher.run(
    deps.binaries.initdb,
    ["-D", data, "-U", superuser, "-A", "scram-sha-256", `--pwfile=${passwordFile}`, ...flags],
    { signal },
  );
}

async function giveTo(path: string, user: ServerUser | undefined): Promise<void> {
  if (user !== undefined) {
    await chown(path, user.uid, user.gid);
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Postgres refuses data that belongs to root, for instance a copy. The top folder comes last. */
async function claimForUser(clusterDir: string, user: ServerUser): Promise<void> {
  if ((await stat(clusterDir)).uid !== 0) {
    return;
  }
  for (const entry of await readdir(clusterDir, { recursive: true })) {
    await lchown(join(clusterDir, entry), user.uid, user.gid);
  }
  await chown(clusterDir, user.uid, user.gid);
}
