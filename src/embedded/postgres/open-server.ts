import type { ChildProcess } from "node:child_process";
import { isLoginRefusal, isStarting } from "../../platform/db/errors.ts";
import { openSession, type Session } from "../../platform/db/connection.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { sleep } from "../../platform/concurrency/async.ts";
import { superuser } from "./cluster.ts";
import { DataDirBusyError, EmbeddedPostgresError } from "./processes.ts";
import { findOtherHolder, lockHolderName } from "./data-dir.ts";
import {
  findServer,
  type RunningServer,
  readLogTail,
  spawnPostmaster,
  stopPostmaster,
  type PostmasterDeps,
} from "./postmaster.ts";
import { findFreePort } from "../supervisor/formation.ts";

/** A server that accepts connections, and one session on it. */
export type OpenServer = { session: Session; pid: number; port: number; isAdopted: boolean };

export type OpenDeps = {
  dataDir: string;
  postmaster: PostmasterDeps;
  password: string;
  log: Logger;
  signal: AbortSignal;
  /** For a server that has to be started; a free port by default. */
  port?: number;
};

const silenceTimeoutMs = 30_000;

type OpenServerAttempt = OpenDeps & {
  startedAt: number;
  /** The server that this attempt started. */
  own: ChildProcess | undefined;
  starts: number;
  lastProgressAt: number;
  lastError: Error | undefined;
};

/**
 * Finds the server of this cluster or starts one, and waits until it accepts connections. A server
 * that an earlier process left running is adopted; one that cannot be used is left alone, and the
 * error says why. On an error the server that this call started is stopped.
 */
export async function openServer(deps: OpenDeps): Promise<OpenServer> {
  const now = performance.now();
  const attempt: OpenServerAttempt = {
    ...deps,
    startedAt: now,
    own: undefined,
    starts: 0,
    lastProgressAt: now,
    lastError: undefined,
  };
  try {
    for (;;) {
      deps.signal.throwIfAborted();
      const opened = await takeStep(attempt);
      if (opened !== undefined) {
        return opened;
      }
      await sleep(20, deps.signal);
    }
  } catch (thrown) {
    if (isRunning(attempt.own)) {
      await stopPostmaster(attempt.own.pid);
    }
    throw thrown;
  }
}

async function takeStep(attempt: OpenServerAttempt): Promise<OpenServer | undefined> {
  const server = await findServer(attempt.postmaster.clusterDir, attempt.log);
  if (server === undefined) {
    await start(attempt);
  }
  const opened = server === undefined ? undefined : await connect(attempt, server);
  if (opened === undefined) {
    await checkSilence(attempt, server);
  }
  return opened;
}

const maxStarts = 4;

async function start(attempt: OpenServerAttempt): Promise<void> {
  const { postmaster, port, signal, starts } = attempt;
  if (isRunning(attempt.own)) {
    return;
  }
  if (starts >= maxStarts && !(await hasOldBackends(attempt))) {
    throw await withLogTail(attempt, "The embedded Postgres does not start.");
  }
  // The port may have been taken since, or another process may be starting the server as well.
  await sleep(starts === 0 ? 0 : Math.min(50 * 2 ** starts, 1_000), signal);
  signal.throwIfAborted();
  attempt.starts += 1;
  attempt.lastProgressAt = performance.now();
  attempt.own = await spawnPostmaster(postmaster, port ?? (await findFreePort()));
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess & { pid: number } {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Backends outlive a killed postmaster for a moment, and no new server may start before they end. */
async function hasOldBackends({ postmaster, startedAt }: OpenServerAttempt): Promise<boolean> {
  return (
    performance.now() - startedAt < silenceTimeoutMs &&
    /pre-existing shared memory block/u.test(await readLogTail(postmaster.logFile))
  );
}

async function connect(
  attempt: OpenServerAttempt,
  server: RunningServer,
): Promise<OpenServer | undefined> {
  const { pid, port } = server;
  if (port === undefined) {
    return undefined;
  }
  try {
    const url = urlOf(port, attempt.password, "postgres");
    const session = await openSession({ url, name: lockHolderName });
    return { session, pid, port, isAdopted: pid !== attempt.own?.pid };
  } catch (thrown) {
    await handleConnectError(attempt, server, thrown);
    return undefined;
  }
}

export function urlOf(port: number, password: string, database: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

/** Crash recovery is progress: the server answers 57P03 until it is done. */
const recoveryTimeoutMs = 600_000;

async function handleConnectError(
  attempt: OpenServerAttempt,
  server: RunningServer,
  thrown: unknown,
): Promise<void> {
  const error = toError(thrown);
  attempt.lastError = error;
  if (isLoginRefusal(error)) {
    await throwIfHeld(attempt);
    throw new EmbeddedPostgresError(
      `The embedded Postgres (process ${server.pid}) does not accept the password in the data ` +
        `folder ${attempt.dataDir}. Restore postgres-password from a backup, or delete the ` +
        "folder to start over.",
      { cause: thrown },
    );
  }
  if (isStarting(error) && performance.now() - attempt.startedAt < recoveryTimeoutMs) {
    attempt.lastProgressAt = performance.now();
  }
}

async function checkSilence(
  attempt: OpenServerAttempt,
  server: RunningServer | undefined,
): Promise<void> {
  if (performance.now() - attempt.lastProgressAt < silenceTimeoutMs) {
    return;
  }
  await throwIfHeld(attempt);
  const isForeign = server !== undefined && server.pid !== attempt.own?.pid;
  const remedy = isForeign ? ` End process ${server.pid} and start again.` : "";
  throw await withLogTail(
    attempt,
    `The embedded Postgres does not respond within ${silenceTimeoutMs} ms.${remedy}`,
  );
}

/** The server may be unusable for us because another Sightline uses it. */
async function throwIfHeld({ dataDir }: OpenServerAttempt): Promise<void> {
  const holder = await findOtherHolder(dataDir);
  if (holder !== undefined) {
    throw new DataDirBusyError(dataDir, holder);
  }
}

async function withLogTail(
  attempt: OpenServerAttempt,
  message: string,
): Promise<EmbeddedPostgresError> {
  const { logFile } = attempt.postmaster;
  return new EmbeddedPostgresError(
    `${message} The end of ${logFile}: ${await readLogTail(logFile)}`,
    { cause: attempt.lastError },
  );
}
