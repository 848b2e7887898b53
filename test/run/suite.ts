import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildTestPrograms } from "./bundles.ts";
import { reportCoverage } from "./coverage.ts";
import { readMeasured, type Duration } from "./durations.ts";
import { listTestFiles, parallelJobs, runsAlone, type Kind } from "./kinds.ts";
import { mochaArgs, runMocha, sumCounts, type Counts } from "./mocha.ts";
import { tryAgain, type Tried } from "./second-try.ts";
import { startServers, type Servers } from "./servers.ts";

export type SuiteOptions = {
  kinds: readonly Kind[];
  /** Measures coverage, which takes a third longer, and also runs the files in folders `alone`. */
  isNight: boolean;
  say: (line: string) => void;
  signal: AbortSignal;
  /** The tests start after this promise; the servers start in parallel to it. */
  after: Promise<unknown>;
};

export type SuiteResult = Tried & {
  seconds: number;
  durations: readonly Duration[];
  isCoverageEnough: boolean;
};

type Environment = Readonly<Record<string, string>>;

const coverageDir = ".test/coverage";

/** Runs `work` with the servers that these kinds need. */
export async function withServers<T>(
  chosen: readonly Kind[],
  say: (line: string) => void,
  work: (env: Servers["env"]) => Promise<T>,
): Promise<T> {
  const { env, stop } = await startServers(
    chosen.flatMap(({ needs }) => needs),
    say,
  );
  try {
    return await work(env);
  } finally {
    await stop();
  }
}

function suiteArgs(jobs: number, files: readonly string[]): string[] {
  return [...["--forbid-only", "--forbid-pending"], ...mochaArgs(jobs, files)];
}

/** Runs files of all kinds in one pool of workers, then, in the nightly run, those that measure. */
async function runPool(
  chosen: readonly Kind[],
  env: Environment,
  { say, signal, isNight }: SuiteOptions,
): Promise<Counts> {
  const files = (await listTestFiles(chosen)).filter((file) => isNight || !runsAlone(file));
  say(`\n── ${chosen.map(({ title }) => title).join(", ")}: ${files.length} files`);
  const parts = [
    { jobs: parallelJobs, files: files.filter((file) => !runsAlone(file)) },
    { jobs: 1, files: files.filter(runsAlone) },
  ];
  const counts: Counts[] = [];
  for (const part of parts.filter((one) => one.files.length > 0)) {
    if (!signal.aborted) {
      counts.push(await runMocha({ args: suiteArgs(part.jobs, part.files), env, signal }));
    }
  }
  return sumCounts(counts);
}

/** Coverage is measured in the sources, so these tests start no bundled programs. */
async function runCovered(servers: Environment, options: SuiteOptions): Promise<Counts> {
  const covered = options.kinds.filter(({ isCovered }) => isCovered);
  const others = options.kinds.filter(({ isCovered }) => !isCovered);
  await rm(coverageDir, { recursive: true, force: true });
  return sumCounts([
    await runPool(covered, { ...servers, NODE_V8_COVERAGE: coverageDir }, options),
    await runPool(others, { ...servers, ...(await buildTestPrograms()) }, options),
  ]);
}

/** Runs each file once; files that fail may be repeated. */
async function runByDay(env: Environment, options: SuiteOptions): Promise<Tried> {
  const { kinds, signal, say } = options;
  const first = await runPool(kinds, env, options);
  if (signal.aborted) {
    return { counts: first, secondTries: [] };
  }
  return tryAgain(first, (files) => {
    say(`\n── once more, by themselves: ${files.join(", ")}`);
    const { TEST_DURATIONS_FILE: _measured, ...rest } = env;
    return runMocha({ args: suiteArgs(1, files), env: rest, signal });
  });
}

export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const { kinds, isNight, say, signal } = options;
  let startedAt = 0;
  const durationsFile = join(tmpdir(), `sightline-durations-${randomUUID()}.jsonl`);
  const tried = await withServers(kinds, say, async (servers): Promise<Tried> => {
    const env = { ...servers, TEST_DURATIONS_FILE: durationsFile };
    const bundles = isNight ? {} : await buildTestPrograms();
    await options.after;
    startedAt = performance.now();
    return isNight
      ? { counts: await runCovered(env, options), secondTries: [] }
      : runByDay({ ...env, ...bundles }, options);
  });
  const durations = await readMeasured(durationsFile);
  await rm(durationsFile, { force: true });
  const isReported = isNight && !signal.aborted;
  return {
    ...tried,
    durations,
    seconds: (performance.now() - startedAt) / 1_000,
    isCoverageEnough: isReported ? await reportCoverage(say) : true,
  };
}
