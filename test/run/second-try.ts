/**
 * On a busy machine, a run of thousands of tests may fail because of a single flaky one. Except in
 * the nightly run, the files of failed tests are run once more, as a whole and separately, and the
 * failures of the first run are reported at the end. More than a few failures are not flakiness:
 * then nothing is repeated.
 */
import { failuresOf, sumCounts, type Counts } from "./mocha.ts";

const mostFailures = 3;

export type Tried = Readonly<{
  counts: Counts;
  /** Tests that passed in the second run, with the failures of the first one. */
  secondTries: readonly string[];
}>;

/** The files to run again; empty if there are too many failures, or none. */
export function filesToTryAgain(counts: Counts): string[] {
  const files = Object.keys(counts.failing);
  return failuresOf(counts).length > mostFailures || files.includes("") ? [] : files;
}

/** `run` runs these files only. */
export async function tryAgain(
  first: Counts,
  run: (files: readonly string[]) => Promise<Counts>,
): Promise<Tried> {
  const files = filesToTryAgain(first);
  if (files.length === 0) {
    return { counts: first, secondTries: [] };
  }
  const second = await run(files);
  if (second.failing[""] !== undefined) {
    // The second run failed outside of the files, so it says nothing about them.
    return {
      counts: sumCounts([first, { passed: 0, failing: second.failing }]),
      secondTries: [],
    };
  }
  const counted = files.reduce((sum, file) => sum + (first.failing[file]?.passed ?? 0), 0);
  return {
    counts: { passed: first.passed - counted + second.passed, failing: second.failing },
    secondTries: files
      .filter((file) => second.failing[file] === undefined)
      .flatMap((file) => first.failing[file]?.failures ?? []),
  };
}
