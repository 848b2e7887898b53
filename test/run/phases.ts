import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { listFiles } from "./files.ts";
import type { ServerKind } from "./servers.ts";

const minutes = (count: number): number => count * 60_000;

export type PhaseName = "unit" | "int" | "browser" | "e2e" | "faults";

export type Phase = {
  name: PhaseName;
  title: string;
  isOurs: (file: string) => boolean;
  /** What is started for it. */
  needs: readonly ServerKind[];
  /** Files side by side. */
  jobs: number;
  /** Whether its processes tell what they covered; a killed process cannot. */
  isCovered: boolean;
  testTimeoutMs: number;
  timeoutMs: number;
};

/**
 * One more than there are cores: tests wait a good deal, for Postgres, for processes to start, for
 * leases to end, for a page to move.
 */
const sideBySide = Math.max(2, availableParallelism()) + 1;
/** Where each file starts a browser, or several processes: what starts at once is ready in time. */
const fewSideBySide = Math.max(2, availableParallelism());

export const phases: readonly Phase[] = [
  {
    name: "unit",
    title: "unit tests",
    isOurs: (file) => file.endsWith(".test.ts") && !file.endsWith(".int.test.ts"),
    needs: [],
    jobs: sideBySide,
    isCovered: true,
    testTimeoutMs: 10_000,
    timeoutMs: minutes(10),
  },
  {
    name: "int",
    title: "integration tests",
    isOurs: (file) => file.endsWith(".int.test.ts"),
    needs: ["postgres", "redis"],
    jobs: sideBySide,
    isCovered: true,
    testTimeoutMs: 30_000,
    timeoutMs: minutes(20),
  },
  {
    name: "browser",
    title: "browser tests",
    isOurs: (file) => file.endsWith(".browser.ts"),
    needs: ["postgres"],
    jobs: fewSideBySide,
    isCovered: false,
    testTimeoutMs: 60_000,
    timeoutMs: minutes(30),
  },
  {
    name: "e2e",
    title: "end-to-end tests",
    isOurs: (file) => file.endsWith(".e2e.ts"),
    needs: ["postgres", "redis"],
    jobs: fewSideBySide,
    isCovered: true,
    testTimeoutMs: 60_000,
    timeoutMs: minutes(20),
  },
  {
    name: "faults",
    title: "fault tests",
    isOurs: (file) => file.endsWith(".fault.ts"),
    needs: ["postgres", "redis"],
    jobs: sideBySide,
    isCovered: false,
    testTimeoutMs: minutes(20),
    timeoutMs: minutes(120),
  },
];

const toNumber = (written: string): number => Number(written.replaceAll("_", ""));

/** The longest that anything of a file may take, as it says itself. */
const longestOf = (text: string): number =>
  Math.max(
    0,
    ...[...text.matchAll(/this\.timeout\(([\d_]+)\)/gu)].map(([, ms = ""]) => toNumber(ms)),
  );

/**
 * Its files; first those that ask for the most time, then the largest: one that takes long and
 * begins last keeps the run waiting while the other cores have nothing left to do.
 */
export const filesOf = async (phase: Phase): Promise<string[]> => {
  const files = (await listFiles(["test"])).filter(phase.isOurs);
  const read = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, "utf8");
      return { file, longest: longestOf(text), size: text.length };
    }),
  );
  return read.toSorted((a, b) => b.longest - a.longest || b.size - a.size).map(({ file }) => file);
};

/** Those that measure what was promised for a machine that has nothing else to do. */
export const runsAlone = (file: string): boolean => dirname(file).endsWith("/alone");

export const mochaArgs = (phase: Phase, files: readonly string[]): string[] => [
  ...["--timeout", String(phase.testTimeoutMs)],
  ...(phase.jobs > 1 && files.length > 1 ? ["--parallel", "--jobs", String(phase.jobs)] : []),
  ...files,
];
