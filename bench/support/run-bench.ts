import { createRig, type Rig } from "./rig.ts";
import { startStack, type Stack } from "./stack.ts";
import { assertLinux } from "./usage.ts";

export type Bench = {
  stack: Stack;
  /** Starts the receiver and the bare loop on first use. */
  openRig(): Promise<Rig>;
  print(text: string): void;
};

function interruption(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => reject(new Error(`Interrupted by ${signal}`)));
    }
  });
}

const defaultMinutes = 20;

export type RunOptions = {
  /** Postgres settings in addition to the platform's. */
  settings?: Record<string, string>;
  /** The run is aborted after this time. */
  longestMinutes?: number;
};

/**
 * Runs `work` with a separate stack, and always shuts the stack down: at the end, on an error, when
 * a process exits unexpectedly, on Ctrl-C, and on a time-out.
 */
export async function runBench(
  work: (bench: Bench) => Promise<void>,
  { settings = {}, longestMinutes = defaultMinutes }: RunOptions = {},
): Promise<void> {
  assertLinux();
  const interrupted = interruption();
  interrupted.catch(() => undefined);
  const timer = setTimeout(() => process.kill(process.pid, "SIGTERM"), longestMinutes * 60_000);
  const stack = await startStack(settings);
  let rig: Promise<Rig> | undefined;
  const bench: Bench = {
    stack,
    openRig: () => (rig ??= createRig(stack)),
    print: (text) => void process.stdout.write(`${text}\n`),
  };
  try {
    await Promise.race([work(bench), stack.children.failure, interrupted]);
  } catch (thrown) {
    process.stderr.write(
      `${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`,
    );
    process.exitCode = 1;
  } finally {
    clearTimeout(timer);
    await stack.stop();
  }
  process.exit();
}
