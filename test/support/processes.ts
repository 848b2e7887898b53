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
  /** Resolves when it is gone, however it ended. */
  readonly ended: Promise<Ended>;
  /** Everything it wrote so far, both streams together. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** `kill -9`. */
  kill(): Promise<Ended>;
  /** Asks it to stop. Rejects, after killing it, where it is not gone in time. */
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
      /** Of package.json. npm and what it starts get signals together, as in a terminal. */
      script: string;
    }
);

export type Processes = {
  start(options: ProcessOptions): Process;
  /** Those that still run. */
  readonly running: readonly Process[];
};

const root = fileURLToPath(new URL("../..", import.meta.url));
const mostOutput = 200_000;

/** Nothing of the test's own environment, but for where its files and its coverage lie. */
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

/** The same program as JavaScript, where the run made such: it starts in a quarter of the time. */
function bundleOf(file: string): string | undefined {
  const bundles = process.env["TEST_BUNDLES"];
  const bundle = bundles === undefined ? undefined : `${bundles}/${file.replace(/\.ts$/u, ".js")}`;
  return bundle !== undefined && existsSync(bundle) ? bundle : undefined;
}

function commandOf(options: ProcessOptions): [string, string[]] {
  const { args = [] } = options;
  if ("script" in options) {
    return ["npm", ["run", options.script, ...args]];
  }
  const bundle = bundleOf(options.file);
  const program = bundle === undefined ? ["--import", "tsx", options.file] : [bundle];
  return [process.execPath, [...program, ...args]];
}

/** Ends only by its caller, or with this process. Most tests use `useProcesses` instead. */
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

/** Shows what these processes wrote where a test of the surrounding `describe` failed. */
export function showOutputOf(processes: () => readonly Process[]): void {
  afterEach("print the output of the processes", function () {
    if (this.currentTest?.state === "failed") {
      process.stderr.write(`${processes().slice(-8).map(describeOutput).join("\n")}\n`);
    }
  });
}

/**
 * Real processes for the tests of the surrounding `describe`. After its last test whatever still
 * runs is killed; where a test failed, what the processes wrote is shown. Call it before
 * `useDatabase`, so that they are gone before the database is.
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
