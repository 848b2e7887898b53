import { rm } from "node:fs/promises";
import { reportCoverage } from "./coverage.ts";
import { runMocha, sumCounts, type Counts } from "./mocha.ts";
import { bundlePrograms } from "./bundles.ts";
import { filesOf, mochaArgs, runsAlone, type Phase } from "./phases.ts";
import { startServers, type Servers } from "./servers.ts";

export type SuiteOptions = {
  phases: readonly Phase[];
  isCovered: boolean;
  say: (line: string) => void;
  signal: AbortSignal;
};

export type PhaseResult = Counts & { title: string; seconds: number };
export type SuiteResult = { results: PhaseResult[]; isCoverageGood: boolean };

const coverageDir = ".test/coverage";

/** Its files side by side, then those that want the machine for themselves one by one. */
const runPhase = async (
  phase: Phase,
  env: Record<string, string>,
  { say, signal }: SuiteOptions,
): Promise<PhaseResult> => {
  const startedAt = performance.now();
  const files = await filesOf(phase);
  say(`\n── ${phase.title}: ${files.length} files`);
  const parts = [
    { jobs: phase.jobs, files: files.filter((file) => !runsAlone(file)) },
    { jobs: 1, files: files.filter(runsAlone) },
  ];
  const counts: Counts[] = [];
  for (const part of parts.filter((one) => one.files.length > 0)) {
    const args = mochaArgs({ ...phase, jobs: part.jobs }, part.files);
    const strict = ["--forbid-only", "--forbid-pending", ...args];
    if (!signal.aborted) {
      counts.push(await runMocha({ args: strict, env, timeoutMs: phase.timeoutMs, signal }));
    }
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { title: phase.title, ...sumCounts(counts), seconds };
};

/** Servers for as long as `work` takes; none where none is needed. */
export const withServers = async <T>(
  isNeeded: boolean,
  say: (line: string) => void,
  work: (servers: Servers | undefined) => Promise<T>,
): Promise<T> => {
  const servers = isNeeded ? await startServers(say) : undefined;
  try {
    return await work(servers);
  } finally {
    await servers?.stop();
  }
};

/** The phases one after the other on one Postgres and one Redis, then what they covered. */
export const runSuite = async (options: SuiteOptions): Promise<SuiteResult> => {
  const { phases, isCovered, say, signal } = options;
  const results: PhaseResult[] = [];
  await rm(coverageDir, { recursive: true, force: true });
  const needsServers = phases.some((phase) => phase.needsServers);
  await withServers(needsServers, say, async (servers) => {
    for (const phase of phases) {
      const coverage = isCovered && phase.isCovered ? { NODE_V8_COVERAGE: coverageDir } : {};
      const bundles = phase.isCovered ? {} : await bundlePrograms();
      if (!signal.aborted) {
        results.push(await runPhase(phase, { ...servers?.env, ...coverage, ...bundles }, options));
      }
    }
  });
  const isReported = isCovered && !signal.aborted;
  return { results, isCoverageGood: isReported ? await reportCoverage(say) : true };
};
