import { chmod, mkdir, mkdtemp, readFile, rm, statfs, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterOurDeath } from "../support/reaper.ts";

const memoryDir = "/dev/shm";
/** Several times the space of a run: a database per running file, Postgres' log, browsers. */
const neededBytes = 4 * 1024 ** 3;

/** Some tests execute programs that they have created there. */
async function mayRunPrograms(): Promise<boolean> {
  const mounts = await readFile("/proc/mounts", "utf8").catch(() => "");
  const line = mounts.split("\n").find((one) => one.split(" ")[1] === memoryDir);
  return line !== undefined && !/\bnoexec\b/u.test(line);
}

async function hasRoom(): Promise<boolean> {
  const found = await statfs(memoryDir).catch(() => undefined);
  const freeBytes = found === undefined ? 0 : found.bavail * found.bsize;
  return freeBytes >= neededBytes && process.availableMemory() >= neededBytes;
}

/** Keeps the compile cache of tsx between runs. */
async function keepCompiled(dir: string): Promise<void> {
  const name = `tsx-${process.getuid?.() ?? ""}`;
  await mkdir(join(tmpdir(), name), { recursive: true });
  await symlink(join(tmpdir(), name), join(dir, name));
}

async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(memoryDir, "sightline-tests-"));
  // As root, Postgres runs as a different user, who needs access to the folder.
  await chmod(dir, 0o711);
  await keepCompiled(dir);
  return dir;
}

/** Retries, because terminating programs such as browsers may still write. */
function remove(dir: string): Promise<void> {
  return rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/**
 * Runs `work` with temporary files in memory if there is enough space, else in the system's folder.
 * A test database has hundreds of files, which are created in a tenth of the time there. Call it
 * once, at the end of the process.
 */
export async function withFilesInMemory(work: () => Promise<void>): Promise<void> {
  if (!(await mayRunPrograms()) || !(await hasRoom())) {
    await work();
    return;
  }
  const dir = await makeFolder();
  // Sleeps, because the reapers of the servers must be done first.
  const reaper = afterOurDeath('for i in 1 2 3; do sleep 2; rm -rf -- "$1" && break; done', dir);
  process.env["TMPDIR"] = dir;
  try {
    await work();
  } finally {
    await remove(dir);
    reaper.dismiss();
  }
}
