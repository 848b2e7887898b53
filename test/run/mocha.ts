import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Counts = { passed: number; failed: number; pending: number };

export const noCounts: Counts = { passed: 0, failed: 0, pending: 0 };

export const sumCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  pending: a.pending + b.pending,
});

const readCounts = async (file: string): Promise<Counts> =>
  readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Counts,
    () => noCounts,
  );

export type MochaRun = { args: readonly string[]; env: Record<string, string>; under?: string[] };

/**
 * One mocha, and what it counted. A run that ends badly without a failed test (a crash, no file
 * found) counts as one failure: silence must never look like success.
 */
export const runMocha = async ({ args, env, under = [] }: MochaRun): Promise<Counts> => {
  const dir = await mkdtemp(join(tmpdir(), "sightline-counts-"));
  const file = join(dir, "counts.json");
  try {
    const command = [
      ...under,
      ...["node_modules/mocha/bin/mocha.js", "--reporter", "test/run/counting-reporter.cjs"],
      ...args,
    ];
    const child = spawn(process.execPath, command, {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env, TEST_COUNTS_FILE: file },
    });
    const [code] = (await once(child, "exit")) as [number | null];
    const counts = await readCounts(file);
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};
