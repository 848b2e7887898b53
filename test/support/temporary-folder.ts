import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives the suite a folder for temporary files of its own: other files of tests run beside it and
 * have theirs in the one that all share. Answers with a function that lists the names in it.
 */
export function useTemporaryFolder(): () => Promise<string[]> {
  const shared = process.env["TMPDIR"];
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "sightline-test-"));
    process.env["TMPDIR"] = folder;
  });
  after(async () => {
    if (shared === undefined) {
      delete process.env["TMPDIR"];
    } else {
      process.env["TMPDIR"] = shared;
    }
    await rm(folder, { recursive: true, force: true });
  });
  return () => readdir(folder);
}
