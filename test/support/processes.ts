import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { signalProcess } from "../../src/embedded/postgres/processes.ts";
import { withTimeout } from "../../src/platform/concurrency/async.ts";
import { afterOurDeath } from "./reaper.ts";

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

export type Process = {
  readonly name: string;
  readonly pid: number;
  isRunning(): boolean;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<Ended>;
  /** The output so far, of both streams. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGKILL. */
  kill(): Promise<Ended>;
  /** Stops the process gracefully. If it does not end in time, kills it and rejects. */
  stop(timeoutMs?: number): Promise<Ended>;
};

export type ProcessOptions = {
  name: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
} & (
  | {
      /** A TypeScript file of the repository. */
      file: string;
    }
  | {
      /**
       * A script of package.json. npm and its children form a process group and get signals
       * together, as in a terminal.
       */
      script: string;
    }
);

export type Processes = {
  start(options: ProcessOptions): Process;
  /** The processes that are still running. */
  readonly running: readonly Process[];
};

const root = fileURLToPath(new URL("../..", import.meta.url));
const mostOutput = 200_000;

/** Inherits only the variables for locating programs, temporary files and coverage. */
function inherited(): Record<string, string> {
  return Object.fromEntries(
    ["PATH", "HOME", "TMPDIR", "NODE_V8_COVERAGE"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function collect(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-mostOutput);
    });
  }
  return () => text;
}

/**
 * How to run the file: as a program of a build, if the run has built them, which starts in a tenth of
 * the time; as a bundled helper; or as it is.
 */
function programOf(file: string): string[] {
  const programs = JSON.parse(process.env["TEST_PROGRAMS"] ?? "{}") as Record<string, string>;
  const program = programs[file];
  if (program !== undefined) {
    return ["bin/program.js", program];
  }
  const bundle = `${process.env["TEST_BUNDLES"]}/${file.replace(/\.ts$/u, ".js")}`;
  return existsSync(bundle) ? [bundle] : ["--import", "tsx", file];
}

function commandOf(options: ProcessOptions): [string, string[]] {
  const { args = [] } = options;
  if ("script" in options) {
    return ["npm", ["run", options.script, ...args]];
  }
  return [process.execPath, [...programOf(options.file), ...args]];
}

/**
 * Starts a process that its caller has to end; it also ends with this process. Most tests use
 * `useProcesses`.
 */
export function startProcess(options: ProcessOptions): Process {
  const { name, env = {} } = options;
  const isGroup = "script" in options;
  const child = spawn(...commandOf(options), {
    cwd: root,
    env: { ...inherited(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: isGroup,
  });
  const { pid = 0 } = child;
  const send = (signal: NodeJS.Signals): void => {
    if (isGroup) {
      signalProcess(-pid, signal);
    } else {
      child.kill(signal);
    }
  };
  const output = collect(child);
  const reaper = afterOurDeath('kill -KILL -- "$1"', String(isGroup ? -pid : pid));
  const ended = once(child, "exit").then(([code, signal]) => {
    reaper.dismiss();
    return { code, signal };
  });
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const kill = async (): Promise<Ended> => {
    send("SIGKILL");
    return ended;
  };
  return {
    name,
    pid,
    ended,
    output,
    kill,
    isRunning,
    signal: send,
    stop: async (timeoutMs = 15_000) => {
      send("SIGTERM");
      try {
        return await withTimeout(ended, timeoutMs, `${name} did not stop within ${timeoutMs} ms`);
      } finally {
        await kill();
      }
    },
  };
}

function describeOutput({ name, pid, output }: Process): string {
  return `--- ${name} (${pid}) wrote:\n${output().split("\n").slice(-40).join("\n")}`;
}

/** Prints the output of these processes if a test of the surrounding `describe` failed. */
export function showOutputOf(processes: () => readonly Process[]): void {
  afterEach("print the output of the processes", function () {
    if (this.currentTest?.state === "failed") {
      process.stderr.write(`${processes().slice(-8).map(describeOutput).join("\n")}\n`);
    }
  });
}

/**
 * Real processes for the tests of the surrounding `describe`. Those that still run after its last
 * test are killed; if a test failed, their output is printed. Call it before `useDatabase`, so that
 * the processes end before the database is dropped.
 */
export function useProcesses(): Processes {
  const started: Process[] = [];
  const living = (): Process[] => started.filter((one) => one.isRunning());
  showOutputOf(() => started);
  after("kill running processes", async function () {
    this.timeout(10_000);
    await Promise.all(living().map((one) => one.kill()));
  });
  return {
    start: (options) => {
      const one = startProcess(options);
      started.push(one);
      return one;
    },
    get running() {
      return living();
    },
  };
}
