/**
 * One process of the Procfile, in its own session and process group: signals of the terminal reach
 * only the runner, which passes them on once. The IPC channel closes when the runner dies, so that
 * the process stops too; through it the process reports that it is ready.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { type Writable, Transform } from "node:stream";
import { finished } from "node:stream/promises";
import { toError } from "../../platform/errors.ts";
import { isReadyMessage } from "../../platform/process-control.ts";
import { withTimeout } from "../../platform/concurrency/async.ts";
import { releaseType, type Instance } from "./formation.ts";
import { StringDecoder } from "node:string_decoder";

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

export type Child = Readonly<{
  /** Resolves when the process has ended and its last lines are written. */
  ended: Promise<Ended>;
  /** Resolves when the process reports that it is ready; never if it ends before. */
  ready: Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Kills the whole process group. */
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
    // An orphan of the process may keep the pipes open forever.
    await withTimeout(Promise.all(outputs), lastOutputMs, "").catch(() => undefined);
    return ended;
  };
  return {
    ended: end(),
    ready: new Promise((resolve) => {
      child.on("message", (message) => isReadyMessage(message) && resolve());
    }),
    // `release` is a shell command of several programs: the signal must reach them all. The other
    // processes end their own children.
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
 * The shell evaluates assignments before the command (`NAME=value node …`). `exec` replaces it by the
 * command: otherwise signals would end the shell and orphan the command.
 */
function shellLine(command: string): string {
  const [assignments = ""] = /^(?:[A-Za-z_]\w*=\S*\s+)*/u.exec(command) ?? [];
  return `${assignments}exec ${command.slice(assignments.length)}`;
}

/** Longer lines are passed on in pieces, to bound the memory. */
const maxLineLength = 64 * 1024;

/** Prefixes each line; an incomplete last line is flushed at the end. */
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
    return; // the spawn failed
  }
  try {
    process.kill(-child.pid, signal);
  } catch (thrown) {
    if ((toError(thrown) as NodeJS.ErrnoException).code !== "ESRCH") {
      throw thrown;
    }
  }
}
