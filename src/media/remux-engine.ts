/**
 * In: the chunks of a recording, in one file. Out: a playable file.
 * Each recording is remuxed in its own process, which is killed after a time that depends on its
 * size: some malicious recordings keep the library busy for ever.
 */
import { stat } from "node:fs/promises";
import { withDeadline } from "../platform/concurrency/async.ts";
import { runChild, type ChildEnd } from "./child-process.ts";
import type { RemuxOrder } from "./remux.ts";

/** The message of the process. A fault is ours, such as a full disk. */
export type RemuxResult = Readonly<{ isUsable: boolean } | { fault: string }>;

export type RemuxLimits = Readonly<{ timeoutMs: number; memoryMiB: number }>;

export type RemuxJob = RemuxOrder & Readonly<{ memoryMiB: number; parentPid: number }>;

const mebibyte = 1024 ** 2;

/** A hundred times as long as usual, and 36 minutes for the largest recording of 2 GiB. */
function limitsFor(bytes: number): RemuxLimits {
  return { timeoutMs: 120_000 + Math.ceil(bytes / mebibyte) * 1_000, memoryMiB: 1_024 };
}

/**
 * Returns whether the chunks were usable. Throws if the reason is ours, or if the signal aborts.
 * Tests override the limits.
 */
export async function remuxInProcess(
  order: RemuxOrder,
  signal: AbortSignal,
  limits?: Partial<RemuxLimits>,
): Promise<boolean> {
  const { size } = await stat(order.from);
  const { timeoutMs, memoryMiB } = { ...limitsFor(size), ...limits };
  const job: RemuxJob = { ...order, memoryMiB, parentPid: process.pid };
  return withDeadline(signal, timeoutMs, async (limited) => {
    const end = await runChild<RemuxResult>({
      program: "remux-process",
      job,
      signal: limited,
      execArgv: [`--max-old-space-size=${memoryMiB}`],
    });
    signal.throwIfAborted();
    return resultOf(end, limited);
  });
}

/** Signals of a process that its own input has brought down, for example by filling its memory. */
const crashes = new Set<NodeJS.Signals>(["SIGABRT", "SIGILL", "SIGSEGV", "SIGTRAP"]);

function resultOf(end: ChildEnd<RemuxResult>, { aborted }: AbortSignal): boolean {
  const { result, code, killedBy } = end;
  if (result === undefined) {
    if (aborted || (killedBy !== null && crashes.has(killedBy))) {
      return false;
    }
    throw new Error(`The remux process ended with ${killedBy ?? `code ${code}`}`);
  }
  if ("fault" in result) {
    throw new Error(result.fault);
  }
  return result.isUsable;
}
