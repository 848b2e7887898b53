/**
 * A Postgres server without an installation: the binaries come with the npm package, the data is in
 * the data folder, and this process supervises the server.
 *
 * The folder: `postgres/` the cluster (moved there when complete), `postgres-password`,
 * `postgres.log`, `sightline.pid` (the process that holds the folder), `postgres.init-*` (a first
 * start in progress).
 *
 * On crash: the server has its own session and survives this process; the next start adopts it. A
 * server that dies is started again on the same port, so that the pools reconnect by themselves.
 */
import { chmod, chown, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { sleep } from "../../platform/concurrency/async.ts";
import { chooseLauncher, chooseServerUser, findBinaries, type ServerUser } from "./launcher.ts";
import { prepareCluster, superuser } from "./cluster.ts";
import { codeOf, EmbeddedPostgresError } from "./processes.ts";
import {
  holdsDataDir,
  unlockDataDir,
  lockDataDir,
  loadOrCreatePassword,
  loadOrCreateSecretKey,
} from "./data-dir.ts";
import { openServer, urlOf, type OpenDeps, type OpenServer } from "./open-server.ts";
import { findServer, stopPostmaster, type ServerSettings } from "./postmaster.ts";
import type { Lifecycle } from "../../platform/lifecycle.ts";
import { parseSecretKey } from "../../platform/secret-box.ts";

export type EmbeddedPostgres = {
  /** Includes the password. The database exists, its tables do not. Stays valid over restarts. */
  readonly url: string;
  /** An earlier process had left the server running. */
  readonly isAdopted: boolean;
  /** This start created the cluster. For messages only. */
  readonly isNew: boolean;
  /** The server's process id, which changes with a restart. */
  readonly pid: number;
  /** Ends the server, adopted or not. Bounded; safe to repeat. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  log: Logger;
  /** Server settings over the built-in ones, for instance `{ fsync: "off" }` in tests. */
  settings?: ServerSettings;
  /** Cancels the start. Once started, only `stop` ends the server. */
  signal?: AbortSignal;
};

/** Configuration of `npm start`. Undefined: the embedded Postgres, a generated key. */
export type EmbeddedSettings = Readonly<{
  dataDir: string;
  databaseUrl: string | undefined;
  secretKey: string | undefined;
}>;

export async function openDatabase(
  { dataDir, databaseUrl }: EmbeddedSettings,
  log: Logger,
  lifecycle: Lifecycle,
): Promise<string> {
  if (databaseUrl !== undefined) {
    return databaseUrl;
  }
  const embedded = await startEmbeddedPostgres({ dataDir, log, signal: lifecycle.signal });
  lifecycle.onStop("embedded Postgres", () => embedded.stop());
  return embedded.url;
}

/**
 * Starts the Postgres of a data folder, or adopts the one that runs there. Throws `DataDirBusyError`
 * while another process uses the folder, and `EmbeddedPostgresError` with what to do otherwise.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const signal = options.signal ?? new AbortController().signal;
  const open = async () => {
    const { deps, isNew } = await prepare({ ...options, dataDir }, signal);
    return { deps, isNew, server: await openAndLock({ ...deps, signal }) };
  };
  const { deps, isNew, server } = await open().catch((thrown: unknown) => {
    throw explainFileError(thrown, dataDir);
  });
  const { current, stop } = superviseServer(deps, server);
  try {
    await createDatabase(server);
    signal.throwIfAborted();
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  const { port, isAdopted } = server;
  options.log.info({ port, isAdopted, isNew }, "embedded.ready");
  return {
    url: urlOf(port, deps.password, superuser),
    isAdopted,
    isNew,
    get pid() {
      return current().pid;
    },
    stop,
  };
}

type Prepared = { deps: Omit<OpenDeps, "signal">; isNew: boolean };

async function prepare(options: EmbeddedOptions, signal: AbortSignal): Promise<Prepared> {
  const { dataDir, log, settings = {} } = options;
  const clusterDir = join(dataDir, "postgres");
  const binaries = await findBinaries();
  const user = await chooseServerUser(clusterDir);
  await createDataDir(dataDir, user);
  const launcher = await chooseLauncher({ dataDir, binaries, log }, user);
  const password = await loadOrCreatePassword(dataDir);
  const isDurable = settings["fsync"] !== "off";
  const cluster = { dataDir, clusterDir, binaries, launcher, password, isDurable, signal };
  const { isNew } = await prepareCluster(cluster);
  const logFile = join(dataDir, "postgres.log");
  const postmaster = { launcher, postgres: binaries.postgres, clusterDir, logFile, settings };
  return { deps: { dataDir, postmaster, password, log }, isNew };
}

/**
 * Only the owner may read the folder; if the server runs as another user, that user's group may
 * traverse it. An existing folder keeps its mode: others may use it too.
 */
async function createDataDir(dataDir: string, user: ServerUser | undefined): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true });
  try {
    await mkdir(dataDir, { mode: 0o700 });
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") {
      return;
    }
    throw thrown;
  }
  if (user !== undefined) {
    await chown(dataDir, 0, user.gid);
    await chmod(dataDir, 0o710);
  }
}

function explainFileError(thrown: unknown, dataDir: string): Error {
  const error = toError(thrown);
  return ["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST"].includes(codeOf(error) ?? "")
    ? new EmbeddedPostgresError(
        `The data folder ${dataDir} cannot be used by this user: ${error.message}. ` +
          "Set DATA_DIR to a folder that it may write.",
        { cause: error },
      )
    : error;
}

const retryMs = 1_000;

/** Supervises a locked server until `stop`: opens a lost one again on its port. */
function superviseServer(deps: Omit<OpenDeps, "signal">, first: OpenServer) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolveStopped) => {
    signal.addEventListener("abort", () => resolveStopped());
  });
  let current = first;

  const reopen = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        current = await openAndLock({ ...deps, port: first.port, signal });
        deps.log.warn({ pid: current.pid }, "embedded.recovered");
        return;
      } catch (thrown) {
        deps.log.error({ reason: toError(thrown).message }, "embedded.not_recovered");
        await sleep(retryMs, signal);
      }
    }
  };
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      await Promise.race([current.session.ended, stopped]);
      if (!signal.aborted) {
        deps.log.error({ pid: current.pid }, "embedded.lost");
        await reopen();
      }
    }
  };
  const watching = watch();

  const stop = async (): Promise<void> => {
    stopping.abort();
    await watching;
    const server = await findServer(deps.postmaster.clusterDir, deps.log);
    if (server !== undefined && (await holdsDataDir(deps.dataDir))) {
      await stopPostmaster(server.pid);
    }
    await current.session.close();
    await unlockDataDir(deps.dataDir);
  };
  let ending: Promise<void> | undefined;
  return { current: () => current, stop: async () => (ending ??= stop()) };
}

/** Opens the server and locks the data folder for this process. */
async function openAndLock(deps: OpenDeps): Promise<OpenServer> {
  const server = await openServer(deps);
  try {
    await lockDataDir(server.session, deps.dataDir);
    return server;
  } catch (thrown) {
    // The server keeps running, even if this call started it: the faster process uses it.
    await server.session.close();
    throw thrown;
  }
}

async function createDatabase({ session }: OpenServer): Promise<void> {
  const found = await session.query("SELECT 1 FROM pg_database WHERE datname = $1", [superuser]);
  if (found.length === 0) {
    await session.query(`CREATE DATABASE ${superuser}`);
  }
}

export async function openSecretKey({ dataDir, secretKey }: EmbeddedSettings): Promise<Buffer> {
  return secretKey === undefined ? loadOrCreateSecretKey(dataDir) : parseSecretKey(secretKey);
}
