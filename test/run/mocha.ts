import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterOurDeath } from "../support/reaper.ts";

export type Counts = Readonly<{
  passed: number;
  failed: number;
  /** What failed, each with its reason. */
  failures: readonly string[];
}>;

const noCounts: Counts = { passed: 0, failed: 0, failures: [] };

export const sumCounts = (counts: readonly Counts[]): Counts => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  failures: counts.flatMap(({ failures }) => failures),
});

const readCounts = async (file: string): Promise<Counts> =>
  readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Counts,
    () => noCounts,
  );

const mocha = [
  ...["--import", "tsx", "node_modules/mocha/bin/mocha.js"],
  ...["--reporter", "test/run/counting-reporter.cjs"],
  ...(process.stdout.isTTY ? [] : ["--no-color"]),
];

export type MochaRun = {
  args: readonly string[];
  env: Record<string, string>;
  timeoutMs: number;
  /** Ends the run. */
  signal: AbortSignal;
};

/** Mocha leads a group of its own, so that its workers and what its tests spawned end with it. */
const spawnMocha = (args: readonly string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [...mocha, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    detached: true,
  });

const signalGroup = (leader: ChildProcess, name: NodeJS.Signals): void => {
  try {
    process.kill(-(leader.pid ?? 0), name);
  } catch {
    // Nobody of the group is left.
  }
};

/** Nothing hangs for ever, not even a test that never gives the thread back. */
const endInTime = (
  child: ChildProcess,
  dir: string,
  { timeoutMs, signal }: MochaRun,
): { dismiss(): void } => {
  const reaper = afterOurDeath('kill -KILL -"$1"; rm -rf -- "$2"', String(child.pid), dir);
  const timer = setTimeout(() => {
    process.stderr.write(`mocha did not end within ${timeoutMs / 60_000} minutes\n`);
    signalGroup(child, "SIGKILL");
  }, timeoutMs);
  const interrupt = (): void => signalGroup(child, "SIGTERM");
  signal.addEventListener("abort", interrupt);
  return {
    dismiss: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
      reaper.dismiss();
      signalGroup(child, "SIGKILL");
    },
  };
};

/**
 * One mocha, and what it counted. A run that ends badly without a failed test (a crash, a file
 * that cannot be loaded) counts as one failure: silence must never look like success.
 */
export const runMocha = async (run: MochaRun): Promise<Counts> => {
  const dir = await mkdtemp(join(tmpdir(), "sightline-counts-"));
  const file = join(dir, "counts.json");
  const child = spawnMocha(run.args, { ...run.env, TEST_COUNTS_FILE: file });
  const watch = endInTime(child, dir, run);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    const counts = await readCounts(file);
    return code !== 0 && counts.failed === 0
      ? { ...counts, failed: 1, failures: [`mocha ended with ${code ?? "a signal"}`] }
      : counts;
  } finally {
    watch.dismiss();
    await rm(dir, { recursive: true, force: true });
  }
};
