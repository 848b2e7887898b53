import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterOurDeath } from "../support/reaper.ts";

/** A file with failures, and the reason of each. */
type FailingFile = Readonly<{ passed: number; failures: readonly string[] }>;

/** `failing` is by file path; "" for failures that belong to no file. */
export type Counts = Readonly<{ passed: number; failing: Readonly<Record<string, FailingFile>> }>;

export function failuresOf({ failing }: Counts): string[] {
  return Object.values(failing).flatMap(({ failures }) => failures);
}

/** The default time-out of a test, for busy machines. */
const testTimeoutMs = 60_000;
/** Time-out of a whole run. The long form of the fault tests takes an hour. */
const runTimeoutMs = 3 * 3_600_000;

const noCounts: Counts = { passed: 0, failing: {} };

export function sumCounts(counts: readonly Counts[]): Counts {
  const failing: Record<string, FailingFile> = {};
  for (const [file, { passed, failures }] of counts.flatMap((one) => Object.entries(one.failing))) {
    const before = failing[file] ?? { passed: 0, failures: [] };
    failing[file] = {
      passed: before.passed + passed,
      failures: [...before.failures, ...failures],
    };
  }
  return { passed: counts.reduce((sum, { passed }) => sum + passed, 0), failing };
}

async function readCounts(file: string): Promise<Counts> {
  return readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Counts,
    () => noCounts,
  );
}

const mocha = [
  ...["--import", "tsx", "node_modules/mocha/bin/mocha.js"],
  ...["--reporter", "test/run/counting-reporter.cjs"],
  ...(process.stdout.isTTY ? [] : ["--no-color"]),
];

export type MochaRun = {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Suppresses the output. */
  isSilent?: boolean;
  /** Aborts the run. */
  signal: AbortSignal;
};

export function mochaArgs(jobs: number, files: readonly string[]): string[] {
  const parallel = jobs > 1 && files.length > 1 ? ["--parallel", "--jobs", String(jobs)] : [];
  return ["--timeout", String(testTimeoutMs), ...parallel, ...files];
}

/** Mocha leads a separate process group, so that its workers and their children end with it. */
function spawnMocha({ args, env, isSilent = false }: Omit<MochaRun, "signal">): ChildProcess {
  return spawn(process.execPath, [...mocha, ...args], {
    stdio: isSilent ? "ignore" : ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    detached: true,
  });
}

function signalGroup(leader: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-(leader.pid ?? 0), name);
  } catch {
    // The process group has ended.
  }
}

/** Enforces a time limit, which also covers a test that blocks the event loop. */
function endInTime(child: ChildProcess, dir: string, { signal }: MochaRun): { dismiss(): void } {
  const reaper = afterOurDeath('kill -KILL -"$1"; rm -rf -- "$2"', String(child.pid), dir);
  const timer = setTimeout(() => {
    process.stderr.write(`mocha did not end within ${runTimeoutMs / 60_000} minutes\n`);
    signalGroup(child, "SIGKILL");
  }, runTimeoutMs);
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
}

/**
 * Runs mocha once. A run that fails without a failed test (a crash, a file that cannot be loaded)
 * counts as one failure, so that it never looks like a success.
 */
export async function runMocha(run: MochaRun): Promise<Counts> {
  const dir = await mkdtemp(join(tmpdir(), "sightline-counts-"));
  const file = join(dir, "counts.json");
  const child = spawnMocha({ ...run, env: { ...run.env, TEST_COUNTS_FILE: file } });
  const watch = endInTime(child, dir, run);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    const counts = await readCounts(file);
    const result = { passed: 0, failures: [`mocha ended with ${code ?? "a signal"}`] };
    return code === Math.min(255, failuresOf(counts).length)
      ? counts
      : sumCounts([counts, { passed: 0, failing: { "": result } }]);
  } finally {
    watch.dismiss();
    await rm(dir, { recursive: true, force: true });
  }
}
