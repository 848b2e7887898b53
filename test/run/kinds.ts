import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { listFiles } from "./files.ts";
import type { ServerKind } from "./servers.ts";
import { readDurations } from "./durations.ts";

export type KindName = "unit" | "int" | "browser" | "e2e" | "faults";

/** A kind of test file, by the suffix of its name. */
export type Kind = {
  name: KindName;
  title: string;
  owns: (file: string) => boolean;
  needs: readonly ServerKind[];
  /** Whether coverage can be measured; a killed process writes none. */
  isCovered: boolean;
  /** The assumed duration of a file that was not measured yet. */
  expectedSeconds: number;
};

export const kinds: readonly Kind[] = [
  {
    name: "unit",
    title: "unit tests",
    owns: (file) => file.endsWith(".test.ts") && !file.endsWith(".int.test.ts"),
    needs: [],
    isCovered: true,
    expectedSeconds: 0.2,
  },
  {
    name: "int",
    title: "integration tests",
    owns: (file) => file.endsWith(".int.test.ts"),
    needs: ["postgres", "redis"],
    isCovered: true,
    expectedSeconds: 2,
  },
  {
    name: "browser",
    title: "browser tests",
    owns: (file) => file.endsWith(".browser.ts"),
    needs: ["postgres"],
    isCovered: false,
    expectedSeconds: 15,
  },
  {
    name: "e2e",
    title: "end-to-end tests",
    owns: (file) => file.endsWith(".e2e.ts"),
    needs: ["postgres", "redis"],
    isCovered: true,
    expectedSeconds: 20,
  },
  {
    name: "faults",
    title: "fault tests",
    owns: (file) => file.endsWith(".fault.ts"),
    needs: ["postgres", "redis"],
    isCovered: false,
    expectedSeconds: 30,
  },
];

/**
 * Number of files that run in parallel: one more than there are cores, because tests often wait for
 * Postgres, starting processes, leases or pages.
 */
export const parallelJobs = Math.max(2, availableParallelism()) + 1;

function kindOf(file: string): Kind | undefined {
  return kinds.find(({ owns }) => owns(file));
}

/**
 * The files of these kinds, slowest first, so that no slow file runs alone at the end. Browser
 * tests precede all others, so that each worker can shut down its shared platform early, which uses
 * CPU even when idle.
 */
export async function listTestFiles(chosen: readonly Kind[]): Promise<string[]> {
  const durations = await readDurations();
  const files = (await listFiles(["test"])).filter((file) => chosen.some(({ owns }) => owns(file)));
  const secondsOf = (file: string): number =>
    durations.get(file) ?? kindOf(file)?.expectedSeconds ?? 0;
  const isBrowser = (file: string): number => (kindOf(file)?.name === "browser" ? 1 : 0);
  return files.toSorted((a, b) => isBrowser(b) - isBrowser(a) || secondsOf(b) - secondsOf(a));
}

/**
 * Files that measure something, or need a server that few machines have. They run in the nightly
 * run only, after the others, one at a time.
 */
export function runsAlone(file: string): boolean {
  return dirname(file).endsWith("/alone");
}
