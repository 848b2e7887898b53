/**
 * One process of the Procfile. It is the leader of a group and a session of its own: signals of the
 * terminal reach the runner only, which passes them on once. The IPC channel tells the process when
 * the runner is gone, however that died, and tells the runner when the process is ready.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { type Writable, Transform } from "node:stream";
import { finished } from "node:stream/promises";
import { toError } from "../../platform/errors.ts";
import { isReadyMessage } from "../../platform/process-control.ts";
import { withTimeout } from "../../platform/concurrency/sleep.ts";
import { releaseType, type Instance } from "./formation.ts";
import { StringDecoder } from "node:string_decoder";

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

export type Child = Readonly<{
  /** Resolves when the process is gone and its last lines are written. */
  ended: Promise<Ended>;
  /** Resolves when it says that it is ready, which one that ends before never does. */
  ready: Promise<void>;
  /** Asks it to stop. */
  signal(signal: NodeJS.Signals): void;
  /** Kills it with everything it started. */
  kill(): void;
}>;

export type ChildOptions = Readonly<{
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  output: Writable;
  linePrefix: string;
}>;

const lastOutputMs = 1_000;

export function startChild(
  { command, type, env }: Instance,
  { cwd, env: inherited, output, linePrefix }: ChildOptions,
): Child {
  const child = spawn("/bin/sh", ["-c", shellLine(command)], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  const outputs = [child.stdout, child.stderr].map(async (stream) => {
    if (stream !== null) {
      const lines = stream.pipe(prefixLines(linePrefix));
      lines.pipe(output, { end: false });
      await finished(lines);
    }
  });
  const exited = new Promise<Ended>((resolve) => {
    child.on("error", () => {
      if (child.pid === undefined) {
        resolve({ code: 1, signal: null });
      }
    });
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const end = async (): Promise<Ended> => {
    const ended = await exited;
    // A process of its own that it left behind may keep these open for ever.
    await withTimeout(Promise.all(outputs), lastOutputMs, "").catch(() => undefined);
    return ended;
  };
  return {
    ended: end(),
    ready: new Promise((resolve) => {
      child.on("message", (message) => isReadyMessage(message) && resolve());
    }),
    // `release` is a shell with a program: the shell alone would end and leave the program behind.
    // Elsewhere what a process started is its own to end.
    signal: (signal) => {
      if (type === releaseType) {
        signalGroup(child, signal);
      } else {
        child.kill(signal);
      }
    },
    kill: () => signalGroup(child, "SIGKILL"),
  };
}

/**
 * The shell is needed for assignments before the command (`NAME=value node …`), and must not stay
 * between us and the process: signals would end the shell and leave the process behind.
 */
function shellLine(command: string): string {
  const [assignments = ""] = /^(?:[A-Za-z_]\w*=\S*\s+)*/u.exec(command) ?? [];
  return `${assignments}exec ${command.slice(assignments.length)}`;
}

/** A line that never ends is passed on in pieces, so that it cannot fill the memory. */
const maxLineLength = 64 * 1024;

/** Whole lines, each behind a prefix; what is left without a line end comes at the end. */
export function prefixLines(prefix: string): Transform {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const take = (text: string): string => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > maxLineLength) {
      lines.push(rest);
      rest = "";
    }
    return lines.map((line) => `${prefix}${line}\n`).join("");
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, take(decoder.write(chunk))),
    flush: (done) => {
      const last = take(decoder.end());
      done(null, last + (rest === "" ? "" : `${prefix}${rest}\n`));
    },
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) {
    return; // it could not be started
  }
  try {
    process.kill(-child.pid, signal);
  } catch (thrown) {
    if ((toError(thrown) as NodeJS.ErrnoException).code !== "ESRCH") {
      throw thrown;
    }
  }
}
