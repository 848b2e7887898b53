import { mkdtemp, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { afterOurDeath } from "../support/reaper.ts";

const memoryDir = "/dev/shm";
/** Several times what a run keeps there at once: Postgres with a database for each file under way, browsers. */
const neededBytes = 4 * 1024 ** 3;

const hasRoom = async (): Promise<boolean> => {
  const found = await statfs(memoryDir).catch(() => undefined);
  const freeBytes = found === undefined ? 0 : found.bavail * found.bsize;
  return freeBytes >= neededBytes && process.availableMemory() >= neededBytes;
};

/**
 * Runs `work` with the folder for temporary files in memory, where there is ample room for it: a
 * database of a test's own is some hundred files, which are made there in a tenth of the time.
 * Elsewhere with the folder that the system has.
 */
export const withFilesInMemory = async (work: () => Promise<void>): Promise<void> => {
  if (!(await hasRoom())) {
    await work();
    return;
  }
  const dir = await mkdtemp(join(memoryDir, "sightline-tests-"));
  // Those that the servers' own reapers still end write there for a moment.
  const reaper = afterOurDeath('sleep 3; rm -rf -- "$1"', dir);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = dir;
  try {
    await work();
  } finally {
    process.env["TMPDIR"] = before;
    if (before === undefined) {
      delete process.env["TMPDIR"];
    }
    reaper.dismiss();
    await rm(dir, { recursive: true, force: true });
  }
};
