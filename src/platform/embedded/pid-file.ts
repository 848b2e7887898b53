import { randomBytes } from "node:crypto";
import { link, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../logger.ts";
import { codeOf } from "./errors.ts";
import { isNumberTaken, isPostgresOf } from "./processes.ts";
import { readIfThere } from "./private-file.ts";

/** A running server of a cluster; the port is not known while it has only just started. */
export type RunningServer = { pid: number; port: number | undefined };

/**
 * The server that runs on this cluster, if any. Postgres itself clears the file of a dead server
 * away, and looks for survivors of it first; so that is left to it. What Postgres cannot tell is
 * another program that got the number, or a dead server that nobody collected: such a file, and
 * one that a full disk cut off, is removed here.
 */
export async function findServer(
  clusterDir: string,
  log: Logger,
): Promise<RunningServer | undefined> {
  const path = join(clusterDir, "postmaster.pid");
  const text = await readIfThere(path);
  if (text === undefined) {
    return undefined;
  }
  const named = parse(text);
  if (named === undefined ? await isNew(path) : !isNumberTaken(named.pid)) {
    return undefined;
  }
  if (named !== undefined && (await isPostgresOf(named.pid, clusterDir))) {
    return named;
  }
  log.info({ pid: named?.pid ?? null }, "embedded.stale_pid_file_removed");
  await removeJudged(path, text);
  return undefined;
}

function parse(text: string): RunningServer | undefined {
  const lines = text.split("\n");
  // A server in single-user mode writes its pid with a minus.
  const pid = Math.abs(Number.parseInt(lines[0] ?? "", 10));
  const port = Number.parseInt(lines[3] ?? "", 10);
  return pid > 0 ? { pid, port: port > 0 ? port : undefined } : undefined;
}

/**
 * Postgres makes its file first and writes to it then, so one that says nothing may be that of a
 * server which starts at this moment. Without it that server would run, but never tell its port.
 */
const newFileMs = 1_000;

async function isNew(path: string): Promise<boolean> {
  const changedAt = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  return changedAt !== undefined && Math.abs(Date.now() - changedAt) < newFileMs;
}

/**
 * Removes a pid file that was judged on the given text. A server that starts at this moment may
 * have replaced it meanwhile; it would shut itself down without its file, so that one is put back.
 */
async function removeJudged(path: string, judged: string): Promise<void> {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") {
      return;
    }
    throw thrown;
  }
  if ((await readIfThere(aside)) !== judged) {
    await link(aside, path).catch(() => undefined);
  }
  await unlink(aside);
}
