/**
 * Runs the tests with everything they need.
 *
 *   all                             check, every phase, coverage: what `npm test` is
 *   unit | int | browser | e2e | faults       one phase
 *   file <file …> [mocha options]   single files
 *
 * The last line is `N passed, N failed`, counted by mocha.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { toError } from "../src/platform/errors.ts";
import { withFilesInMemory } from "./run/memory.ts";
import { runMocha, sumCounts, type Counts } from "./run/mocha.ts";
import { mochaArgs, phases } from "./run/phases.ts";
import { runSuite, withServers, type PhaseResult } from "./run/suite.ts";

/** Read by `.ci/run`, which has to say the counts after everything npm itself may say. */
const countsFile = ".test/counts.txt";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

// The tests end, and the servers are stopped as after any other run.
const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => interruption.abort());
}
const { signal } = interruption;

const runCheck = async (): Promise<boolean> => {
  say("── check");
  const child = spawn(process.execPath, ["--import", "tsx", "test/run/check.ts"], {
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
};

/** What failed is told again here: who reads only the end of a long run learns it as well. */
const tell = (results: readonly PhaseResult[]): Counts => {
  say("");
  for (const { title, passed, failed, failures, seconds } of results) {
    const mark = failed === 0 ? "✔" : "✘";
    say(`${mark} ${title}: ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`);
    failures.forEach((failure) => say(`    ${failure.replaceAll("\n", "\n      ")}`));
  }
  return sumCounts(results);
};

/** Good is only a run in which something was tested and nothing failed. */
const conclude = async ({ passed, failed }: Counts, isElseGood: boolean): Promise<void> => {
  const line = `${passed} passed, ${failed} failed`;
  await mkdir(".test", { recursive: true });
  await writeFile(countsFile, `${line}\n`);
  say(`\n${line}`);
  const isGood = isElseGood && failed === 0 && passed > 0 && !signal.aborted;
  process.exitCode = isGood ? 0 : 1;
};

const runFiles = async (args: readonly string[]): Promise<void> => {
  const chosen = phases.filter((phase) => args.some(phase.isOurs));
  const slowest = chosen.at(-1);
  if (slowest === undefined) {
    throw new Error("Which file? npm run test:file -- test/…/x.test.ts [--grep …]");
  }
  const counts = await withServers(chosen, say, async (env) =>
    runMocha({
      args: mochaArgs({ ...slowest, jobs: 1 }, args),
      env,
      timeoutMs: slowest.timeoutMs,
      signal,
    }),
  );
  await conclude(counts, true);
};

const runPhases = async (mode: string): Promise<void> => {
  const isAll = mode === "all";
  const chosen = phases.filter((phase) => isAll || phase.name === mode);
  if (chosen.length === 0) {
    const names = phases.map((phase) => phase.name).join(", ");
    throw new Error(`There are no tests "${mode}"; there are all, ${names} and file`);
  }
  const isCheckGood = isAll ? await runCheck() : true;
  const suite = await runSuite({ phases: chosen, isCovered: isAll, say, signal });
  const counts = tell(suite.results);
  if (!isCheckGood) {
    say("✘ check: see the top");
  }
  if (!suite.isCoverageGood) {
    say("✘ coverage: a folder is below its floor");
  }
  await conclude(counts, isCheckGood && suite.isCoverageGood);
};

const main = async ([mode = "all", ...args]: readonly string[]): Promise<void> => {
  await rm(countsFile, { force: true });
  await withFilesInMemory(() => (mode === "file" ? runFiles(args) : runPhases(mode)));
};

await main(process.argv.slice(2)).catch((thrown: unknown) => {
  process.stderr.write(`${toError(thrown).message}\n`);
  process.exitCode = 1;
});
