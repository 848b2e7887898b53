import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A separate folder for temporary files, because other test files run in parallel and share the
 * default one. Returns a function that lists its entries.
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
