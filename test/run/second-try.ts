/**
 * Now and then a run of thousands of tests on a busy machine fails because of one. By day the files
 * of failed tests are run once more, whole and by themselves, and the run ends with what the first
 * try found. More than a few failures are not chance: then nothing is run again.
 */
import { failuresOf, sumCounts, type Counts } from "./mocha.ts";

const mostFailures = 3;

export type Tried = Readonly<{
  counts: Counts;
  /** What passed at its second try, each with what its first failed by. */
  secondTries: readonly string[];
}>;

/** The files to run once more; none where what failed is not chance, or nothing did. */
export function filesToTryAgain(counts: Counts): string[] {
  const files = Object.keys(counts.failing);
  return failuresOf(counts).length > mostFailures || files.includes("") ? [] : files;
}

/** @param run a run of these files alone */
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
    // It says nothing about the files.
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
