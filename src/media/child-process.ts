/**
 * In: a program and its job. Out: its result, or how it ended without one.
 * Files of others are read in separate processes, one per file: a malicious file can crash or block
 * only its own process.
 */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

export type ChildOrder = Readonly<{
  /** Its name, as in `node bin/program.js <name>`. It gets the job as its first message. */
  program: string;
  job: object;
  /** Kills the process. */
  signal: AbortSignal;
  /** Flags of Node. */
  execArgv?: readonly string[];
}>;

export type ChildEnd<Result> = Readonly<{
  /** Undefined if the process was killed, or ended without a result. */
  result: Result | undefined;
  code: number | null;
  killedBy: NodeJS.Signals | null;
}>;

const launcher = fileURLToPath(new URL("../../bin/program.js", import.meta.url));

/** Resolves when the process has ended, however it ended. */
export async function runChild<Result>(order: ChildOrder): Promise<ChildEnd<Result>> {
  const child = fork(launcher, [order.program], {
    execArgv: [...(order.execArgv ?? [])],
    env: {}, // no secrets for the child process
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    signal: order.signal,
    killSignal: "SIGKILL",
    // Its own session: Ctrl-C in the terminal must not reach it, because a killed process would
    // count as one that could not read its file.
    detached: true,
  });
  let result: Result | undefined;
  child.on("message", (message: Result) => {
    result ??= message;
  });
  child.send(order.job, () => undefined);
  const [code, killedBy] = await untilExit(child);
  return { result, code, killedBy };
}

function untilExit(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code, killedBy) => resolve([code, killedBy]));
    child.on("error", (error) => {
      if (child.pid === undefined) {
        reject(error); // the process did not start, so there is no exit event
      }
    });
  });
}
