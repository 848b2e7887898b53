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

/** What the phases need, for as long as `work` takes; nothing where they need nothing. */
export const withServers = async <T>(
  phases: readonly Phase[],
  say: (line: string) => void,
  work: (env: Servers["env"]) => Promise<T>,
): Promise<T> => {
  const needs = phases.flatMap((phase) => phase.needs);
  const { env, stop } = await startServers(needs, say);
  try {
    return await work(env);
  } finally {
    await stop();
  }
};

/** The phases one after the other on the same servers, then what they covered. */
export const runSuite = async (options: SuiteOptions): Promise<SuiteResult> => {
  const { phases, isCovered, say, signal } = options;
  const results: PhaseResult[] = [];
  await rm(coverageDir, { recursive: true, force: true });
  await withServers(phases, say, async (servers) => {
    for (const phase of phases) {
      const coverage = isCovered && phase.isCovered ? { NODE_V8_COVERAGE: coverageDir } : {};
      const bundles = phase.isCovered ? {} : await bundlePrograms();
      if (!signal.aborted) {
        results.push(await runPhase(phase, { ...servers, ...coverage, ...bundles }, options));
      }
    }
  });
  const isReported = isCovered && !signal.aborted;
  return { results, isCoverageGood: isReported ? await reportCoverage(say) : true };
};
