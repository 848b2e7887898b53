import { chmod, mkdir, mkdtemp, readFile, rm, statfs, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterOurDeath } from "../support/reaper.ts";

const memoryDir = "/dev/shm";
/** Several times what a run keeps there: a database for each file under way, Postgres' log, browsers. */
const neededBytes = 4 * 1024 ** 3;

/** Some tests run programs that they made. */
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

/** What tsx has compiled is kept from run to run. */
async function keepCompiled(dir: string): Promise<void> {
  const name = `tsx-${process.getuid?.() ?? ""}`;
  await mkdir(join(tmpdir(), name), { recursive: true });
  await symlink(join(tmpdir(), name), join(dir, name));
}

async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(memoryDir, "sightline-tests-"));
  // Postgres runs as another user where we are root, and has to pass through.
  await chmod(dir, 0o711);
  await keepCompiled(dir);
  return dir;
}

/** Programs that still end, browsers above all, may write while it is removed. */
function remove(dir: string): Promise<void> {
  return rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/**
 * Runs `work`, the last that this process does, with the folder for temporary files in memory where
 * there is ample room for it: a database of a test's own is some hundred files, which are made there
 * in a tenth of the time. Elsewhere with the folder that the system has.
 */
export async function withFilesInMemory(work: () => Promise<void>): Promise<void> {
  if (!(await mayRunPrograms()) || !(await hasRoom())) {
    await work();
    return;
  }
  const dir = await makeFolder();
  // After the servers' own reapers.
  const reaper = afterOurDeath('for i in 1 2 3; do sleep 2; rm -rf -- "$1" && break; done', dir);
  process.env["TMPDIR"] = dir;
  try {
    await work();
  } finally {
    await remove(dir);
    reaper.dismiss();
  }
}
