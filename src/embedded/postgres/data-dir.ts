/** The data folder of the embedded Postgres: its lock, and the secrets that are stored in it. */
import { rm, writeFile, chmod, link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { advisoryLocks } from "../../platform/db/pool.ts";
import type { Session } from "../../platform/db/connection.ts";
import { sleep } from "../../platform/concurrency/async.ts";
import { codeOf, DataDirBusyError, isAlive } from "./processes.ts";
import { randomBytes } from "node:crypto";
import { parseSecretKey } from "../../platform/secret-box.ts";

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

/** The superuser's password, created on the first start. */
export function loadOrCreatePassword(dataDir: string): Promise<string> {
  const created = randomBytes(24).toString("hex");
  return loadOrCreate(join(dataDir, "postgres-password"), created, parsePassword);
}

function parsePassword(text: string): string {
  if (!/^[\w-]{16,}$/u.test(text)) {
    throw new Error("it is not a password that Sightline created");
  }
  return text;
}

/**
 * The platform's secret key if none is configured, created on the first start. Without it the
 * encrypted values in the database cannot be read.
 */
export async function loadOrCreateSecretKey(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const created = randomBytes(32).toString("base64");
  return loadOrCreate(join(dataDir, "secret-key"), created, parseSecretKey);
}

/** An existing secret is never replaced: data would be lost with it. */
async function loadOrCreate<T>(
  path: string,
  created: string,
  parse: (text: string) => T,
): Promise<T> {
  if ((await readIfThere(path)) === undefined) {
    await createOnce(path, `${created}\n`);
  }
  try {
    await chmod(path, 0o600);
    return parse((await readFile(path, "utf8")).trim());
  } catch (thrown) {
    throw new Error(`The secret in ${path} cannot be used. Restore the file from a backup.`, {
      cause: thrown,
    });
  }
}

/** The text of a file, or undefined if there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") {
      return undefined;
    }
    throw thrown;
  }
}

/**
 * Creates a file in one step, and never over another one: a crash leaves no partial file, and of
 * two processes that start at once one wins.
 */
async function createOnce(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
    await link(draft, path).catch((thrown: unknown) => {
      if (codeOf(thrown) !== "EEXIST") {
        throw thrown;
      }
    });
  } finally {
    await file.close();
    await unlink(draft);
  }
}
