import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { advisoryLocks, type Session } from "../../platform/db/session-locks.ts";
import { sleep } from "../../platform/concurrency/sleep.ts";
import { DataDirBusyError } from "./errors.ts";
import { readIfThere } from "./secret-files.ts";
import { isAlive } from "./processes.ts";

const applicationPrefix = "holder ";

/** The application name of the holder's connection tells others its process id. */
export const lockHolderName = `${applicationPrefix}${process.pid}`;

/**
 * The process that last locked the folder, if it is alive. The lock in the database decides; this is
 * for errors when the database cannot be asked.
 */
export async function findOtherHolder(dataDir: string): Promise<number | undefined> {
  const pid = Number(await readIfThere(holderFile(dataDir)));
  return pid > 0 && pid !== process.pid && (await isAlive(pid)) ? pid : undefined;
}

const lockTimeoutMs = 2_000;

/**
 * Locks the data folder for as long as the session lasts, or throws `DataDirBusyError`. Retries for
 * two seconds: the server may not have noticed yet that a killed holder's connection is gone.
 */
export async function lockDataDir(session: Session, dataDir: string): Promise<void> {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    const [row] = await session.query<{ taken: boolean }>(
      "SELECT pg_try_advisory_lock($1) AS taken",
      [advisoryLocks.dataDir],
    );
    if (row?.taken === true) {
      // Removed first: another user's file could not be overwritten.
      await rm(holderFile(dataDir), { force: true });
      await writeFile(holderFile(dataDir), `${process.pid}\n`, { mode: 0o644 });
      return;
    }
    const holder = await readLockHolder(session);
    if (performance.now() > deadline || (holder !== undefined && (await isAlive(holder)))) {
      throw new DataDirBusyError(dataDir, holder);
    }
    await sleep(50);
  }
}

async function readLockHolder(session: Session): Promise<number | undefined> {
  const [row] = await session.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.granted AND l.objid = $1`,
    [advisoryLocks.dataDir],
  );
  const pid = Number(row?.name.split(applicationPrefix)[1]);
  return Number.isInteger(pid) ? pid : undefined;
}

export async function unlockDataDir(dataDir: string): Promise<void> {
  if (await holdsDataDir(dataDir)) {
    await rm(holderFile(dataDir), { force: true });
  }
}

/** False once another process has locked the folder. */
export async function holdsDataDir(dataDir: string): Promise<boolean> {
  return Number(await readIfThere(holderFile(dataDir))) === process.pid;
}

function holderFile(dataDir: string): string {
  return join(dataDir, "sightline.pid");
}
