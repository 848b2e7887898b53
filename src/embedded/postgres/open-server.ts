import type { ChildProcess } from "node:child_process";
import { isLoginRefusal, isStarting } from "../../platform/db/errors.ts";
import { openSession, type Session } from "../../platform/db/session-locks.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { sleep } from "../../platform/concurrency/sleep.ts";
import { superuser } from "./cluster.ts";
import { DataDirBusyError, EmbeddedPostgresError } from "./errors.ts";
import { findOtherHolder, lockHolderName } from "./data-dir-lock.ts";
import {
  findServer,
  type RunningServer,
  readLogTail,
  resetPassword,
  spawnPostmaster,
  stopPostmaster,
  type PostmasterDeps,
} from "./postmaster.ts";
import { findFreePort } from "../supervisor/ports.ts";

/** A server that answers, and a connection to it. */
export type OpenServer = { session: Session; pid: number; port: number; isAdopted: boolean };

export type OpenDeps = {
  dataDir: string;
  postmaster: PostmasterDeps;
  password: string;
  log: Logger;
  signal: AbortSignal;
  /** Taken where a server has to be started; without it a free one. */
  port?: number;
};

const silenceTimeoutMs = 30_000;

type OpenServerAttempt = OpenDeps & {
  startedAt: number;
  /** The server that this attempt started. */
  own: ChildProcess | undefined;
  starts: number;
  lastSignOfLife: number;
  lastError: Error | undefined;
  passwordFault: "none" | "found" | "repaired";
};

/**
 * Finds the server of this cluster or starts one, until one answers. A server of an earlier
 * process is adopted if it lets us in, else stopped. Where this gives up, it stops what it started.
 */
export async function openServer(deps: OpenDeps): Promise<OpenServer> {
  const now = performance.now();
  const attempt: OpenServerAttempt = {
    ...deps,
    startedAt: now,
    own: undefined,
    starts: 0,
    lastSignOfLife: now,
    lastError: undefined,
    passwordFault: "none",
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
  const { postmaster, password, port, signal, starts } = attempt;
  if (isRunning(attempt.own)) {
    return;
  }
  if (starts >= maxStarts && !(await isWaitingForRest(attempt))) {
    throw await explain(attempt, "does not start");
  }
  // The port may have been taken since, or another process may be starting the server as well.
  await sleep(starts === 0 ? 0 : Math.min(50 * 2 ** starts, 1_000), signal);
  signal.throwIfAborted();
  if (attempt.passwordFault === "found") {
    await resetPassword(postmaster, superuser, password);
    attempt.passwordFault = "repaired";
    attempt.log.warn({}, "embedded.password_reset");
  }
  attempt.starts += 1;
  attempt.lastSignOfLife = performance.now();
  attempt.own = await spawnPostmaster(postmaster, port ?? (await findFreePort()));
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess & { pid: number } {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Backends of a killed server end when they next look up; no new one may start before. */
async function isWaitingForRest({ postmaster, startedAt }: OpenServerAttempt): Promise<boolean> {
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
    const session = await openSession({ url, maxConnections: 1, name: lockHolderName });
    return { session, pid, port, isAdopted: pid !== attempt.own?.pid };
  } catch (thrown) {
    await handleRefusal(attempt, server, thrown);
    return undefined;
  }
}

export function urlOf(port: number, password: string, database: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

/** Replaying what a crash left behind is progress, not silence. */
const recoveryTimeoutMs = 600_000;

async function handleRefusal(
  attempt: OpenServerAttempt,
  server: RunningServer,
  thrown: unknown,
): Promise<void> {
  const error = toError(thrown);
  attempt.lastError = error;
  if (isLoginRefusal(error)) {
    if (attempt.passwordFault === "repaired") {
      throw await explain(attempt, "does not accept its password");
    }
    await evict(attempt, server, "it does not accept the stored password");
    attempt.passwordFault = "found";
  } else if (isStarting(error) && performance.now() - attempt.startedAt < recoveryTimeoutMs) {
    attempt.lastSignOfLife = performance.now();
  }
}

async function checkSilence(
  attempt: OpenServerAttempt,
  server: RunningServer | undefined,
): Promise<void> {
  if (performance.now() - attempt.lastSignOfLife < silenceTimeoutMs) {
    return;
  }
  if (server === undefined || server.pid === attempt.own?.pid) {
    throw await explain(attempt, `does not answer within ${silenceTimeoutMs} ms`);
  }
  await evict(attempt, server, "it does not answer");
}

async function explain(attempt: OpenServerAttempt, what: string): Promise<EmbeddedPostgresError> {
  const { logFile } = attempt.postmaster;
  return new EmbeddedPostgresError(
    `The embedded Postgres ${what}. The end of ${logFile}: ${await readLogTail(logFile)}`,
    { cause: attempt.lastError },
  );
}

/** Stops a server that is of no use, but never one that another living Sightline may hold. */
async function evict(
  attempt: OpenServerAttempt,
  server: RunningServer,
  reason: string,
): Promise<void> {
  const owner = await findOtherHolder(attempt.dataDir);
  if (owner !== undefined) {
    throw new DataDirBusyError(attempt.dataDir, owner);
  }
  attempt.log.warn({ pid: server.pid, reason }, "embedded.stopping_unusable_server");
  await stopPostmaster(server.pid);
  attempt.lastSignOfLife = performance.now();
}
