/**
 * Runs the tests with everything they need.
 *
 *   all                             `npm test`: check, then every test but those in folders `alone`
 *   night                           `npm run test:night`: the same with coverage, both queue
 *                                   backends everywhere, thirty rounds of random kills, and the
 *                                   tests in folders `alone`
 *   unit | int | browser | e2e | faults       one kind
 *   file <file …> [mocha options]   single files
 *
 * Except in the nightly run, the files of up to three failed tests are run once more
 * (test/run/second-try.ts).
 *
 * The last line is `N passed, N failed`, counted by mocha.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { toError } from "../src/platform/errors.ts";
import { writeDurations } from "./run/durations.ts";
import { kinds } from "./run/kinds.ts";
import { withFilesInMemory } from "./run/memory.ts";
import { failuresOf, mochaArgs, runMocha, type Counts } from "./run/mocha.ts";
import { runSuite, withServers, type SuiteResult } from "./run/suite.ts";

/** Read by `.ci/run`, which must print the counts as its last line, after the output of npm. */
const countsFile = ".test/counts.txt";
const slowestCount = 10;

function say(line: string): void {
  void process.stdout.write(`${line}\n`);
}

// On a signal, the tests are stopped, and then the servers as usual.
const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => interruption.abort());
}
const { signal } = interruption;

async function runCheck(): Promise<boolean> {
  say("── check");
  const child = spawn(process.execPath, ["--import", "tsx", "test/run/check.ts"], {
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}

/** Repeats the failures, so that the end of a long run shows them. */
function report({ counts, secondTries, durations, seconds }: SuiteResult): void {
  say(`\n── the ${slowestCount} slowest files of ${durations.length}`);
  for (const { file, seconds: taken } of durations.slice(0, slowestCount)) {
    say(`${taken.toFixed(1).padStart(7)} s  ${file}`);
  }
  const failures = failuresOf(counts);
  const mark = failures.length === 0 ? "✔" : "✘";
  say(`\n${mark} tests: ${seconds.toFixed(0)} s`);
  failures.forEach((failure) => say(`    ${failure.replaceAll("\n", "\n      ")}`));
  if (secondTries.length > 0) {
    say("\n── passed at the second try: look at what the first one found");
    secondTries.forEach((one) => say(`    ${one.replaceAll("\n", "\n      ")}`));
  }
}

/** A run passes if at least one test ran and none failed. */
async function finish(counts: Counts, hasRestPassed: boolean): Promise<void> {
  const { passed } = counts;
  const failed = failuresOf(counts).length;
  const line = `${passed} passed, ${failed} failed`;
  await mkdir(".test", { recursive: true });
  await writeFile(countsFile, `${line}\n`);
  say(`\n${line}`);
  const hasPassed = hasRestPassed && failed === 0 && passed > 0 && !signal.aborted;
  process.exitCode = hasPassed ? 0 : 1;
}

async function runFiles(args: readonly string[]): Promise<void> {
  const chosen = kinds.filter(({ owns }) => args.some(owns));
  if (chosen.length === 0) {
    throw new Error("Which file? npm run test:file -- test/…/x.test.ts [--grep …]");
  }
  const counts = await withServers(chosen, say, async (env) =>
    runMocha({ args: mochaArgs(1, args), env, signal }),
  );
  await finish(counts, true);
}

async function runKinds(mode: string): Promise<void> {
  const isNight = mode === "night";
  const isWhole = isNight || mode === "all";
  const chosen = kinds.filter(({ name }) => isWhole || name === mode);
  if (chosen.length === 0) {
    const names = kinds.map(({ name }) => name).join(", ");
    throw new Error(`There are no tests "${mode}"; there are all, night, ${names} and file`);
  }
  if (isNight) {
    // Read by test/support/night.ts, in mocha and in the processes that tests start.
    process.env["TEST_NIGHT"] = "1";
  }
  const check = isWhole ? runCheck() : Promise.resolve(true);
  check.catch(() => undefined); // awaited below, after the servers are stopped
  const suite = await runSuite({ kinds: chosen, isNight, say, signal, after: check });
  const hasCheckPassed = await check;
  report(suite);
  if (process.env["WRITE_DURATIONS"] === "1" && isWhole) {
    await writeDurations(suite.durations);
  }
  if (!hasCheckPassed) {
    say("✘ check: see the top");
  }
  if (!suite.isCoverageEnough) {
    say("✘ coverage: a folder is below its floor");
  }
  await finish(suite.counts, hasCheckPassed && suite.isCoverageEnough);
}

async function main([mode = "all", ...args]: readonly string[]): Promise<void> {
  await rm(countsFile, { force: true });
  await withFilesInMemory(() => (mode === "file" ? runFiles(args) : runKinds(mode)));
}

await main(process.argv.slice(2)).catch((thrown: unknown) => {
  process.stderr.write(`${toError(thrown).message}\n`);
  process.exitCode = 1;
});
