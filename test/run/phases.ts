import { availableParallelism } from "node:os";
import { listFiles } from "./files.ts";

const minutes = (count: number): number => count * 60_000;

export type PhaseName = "unit" | "int" | "browser" | "e2e" | "faults";

export type Phase = {
  name: PhaseName;
  title: string;
  isOurs: (file: string) => boolean;
  needsServers: boolean;
  /** Files side by side. Tests that start whole platforms have the machine to themselves. */
  isParallel: boolean;
  /** Whether its processes tell what they covered; a killed process cannot. */
  isCovered: boolean;
  testTimeoutMs: number;
  timeoutMs: number;
};

export const phases: readonly Phase[] = [
  {
    name: "unit",
    title: "unit tests",
    isOurs: (file) => file.endsWith(".test.ts") && !file.endsWith(".int.test.ts"),
    needsServers: false,
    isParallel: true,
    isCovered: true,
    testTimeoutMs: 10_000,
    timeoutMs: minutes(10),
  },
  {
    name: "int",
    title: "integration tests",
    isOurs: (file) => file.endsWith(".int.test.ts"),
    needsServers: true,
    isParallel: true,
    isCovered: true,
    testTimeoutMs: 30_000,
    timeoutMs: minutes(20),
  },
  {
    name: "browser",
    title: "browser tests",
    isOurs: (file) => file.endsWith(".browser.ts"),
    needsServers: true,
    isParallel: false,
    isCovered: true,
    testTimeoutMs: 60_000,
    timeoutMs: minutes(30),
  },
  {
    name: "e2e",
    title: "end-to-end tests",
    isOurs: (file) => file.endsWith(".e2e.ts"),
    needsServers: true,
    isParallel: false,
    isCovered: true,
    testTimeoutMs: 60_000,
    timeoutMs: minutes(20),
  },
  {
    name: "faults",
    title: "fault tests",
    isOurs: (file) => file.endsWith(".fault.ts"),
    needsServers: true,
    isParallel: false,
    isCovered: false,
    testTimeoutMs: minutes(20),
    timeoutMs: minutes(120),
  },
];

export const filesOf = async (phase: Phase): Promise<string[]> =>
  (await listFiles(["test"])).filter(phase.isOurs);

export const mochaArgs = (phase: Phase, files: readonly string[]): string[] => [
  ...["--timeout", String(phase.testTimeoutMs)],
  ...(phase.isParallel && files.length > 1
    ? ["--parallel", "--jobs", String(Math.max(2, availableParallelism()))]
    : []),
  ...files,
];
