/**
 * `npm run procfile -- [-m web=2,delivery=4] [-f Procfile]`: all processes of the Procfile on this
 * machine. Their commands run in this folder, wherever the Procfile is.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadConfig } from "./config/config.ts";
import { readEnvironment } from "./config/environment.ts";
import {
  type BasePorts,
  parseFormation,
  parseProcfile,
  planInstances,
  type TakenPort,
  waitForPorts,
} from "./embedded/supervisor/formation.ts";
import { createSupervisor } from "./embedded/supervisor/supervisor.ts";
import { describeError, toError } from "./platform/errors.ts";
import { createLogOutput, endProcess, printTo } from "./platform/log-output.ts";
import { exitCodeOf, listenForStop } from "./platform/process-control.ts";

const ownFile = fileURLToPath(new URL("../Procfile", import.meta.url));

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      formation: { type: "string", short: "m", default: "" },
      procfile: { type: "string", short: "f", default: ownFile },
    },
  });
  const env = readEnvironment();
  const config = loadConfig(env);
  // npm changes to the package's folder; INIT_CWD is the folder it was called in.
  const procfile = await readFile(resolve(env["INIT_CWD"] ?? "", values.procfile), "utf8");
  const { formation } = values;
  return runProcfile({ ...config, procfile, formation, cwd: dirname(ownFile), env, ports: config });
}

/** Reports an invalid configuration, formation or Procfile: one line per error. */
function reportFaults(thrown: unknown): number {
  const error = toError(thrown);
  const faults = "faults" in error && Array.isArray(error.faults) ? error.faults.map(String) : [];
  printStartErrors(faults.length > 0 ? faults : [describeError(error)]);
  return 2;
}

/**
 * Runs the processes of a Procfile on this machine, once the ports they need are free. Resolves with
 * the exit code: 1 if another program holds a port, else that of the supervisor.
 */
export type ProcfileRun = Readonly<{
  /** Text of the Procfile, and of `-m`, for instance `web=2,delivery=4`. */
  procfile: string;
  formation: string;
  /** Where the commands run. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  ports: BasePorts;
  shutdownDrainMs: number;
  shutdownGraceMs: number;
  databaseWaitMs: number;
}>;

/** A process bounds its own stop by its drain, its grace and a second for each part it closes. */
const extraGraceMs = 10_000;

/** A start on a busy machine, once the database answers. */
const startMs = 60_000;

/** Throws `FormationError` if the Procfile or the formation is wrong. */
async function runProcfile(run: ProcfileRun): Promise<number> {
  const types = parseProcfile(run.procfile);
  const counts = parseFormation(run.formation, types);
  const instances = planInstances(types, counts, run.ports);
  const graceMs = run.shutdownDrainMs + run.shutdownGraceMs + extraGraceMs;
  const supervisor = createSupervisor({
    instances,
    cwd: run.cwd,
    env: run.env,
    output: openOutput(() => supervisor.stop("SIGTERM")),
    graceMs,
    readyWithinMs: run.databaseWaitMs + startMs,
    noticeMs: run.shutdownDrainMs,
    restart: { firstMs: 500, maxMs: 30_000, stableMs: 30_000 },
  });
  const stopping = new AbortController();
  listenForStop(process, {
    onStop: (signal) => {
      stopping.abort();
      supervisor.stop(signal === "SIGHUP" ? "SIGTERM" : signal);
    },
    onAgain: (signal) => {
      supervisor.kill();
      void endProcess(exitCodeOf(signal));
    },
  });
  process.on("SIGUSR2", () => void supervisor.restart());

  const taken = await waitForPorts({
    instances,
    stopWithinMs: graceMs,
    onWait: (ports) => {
      printTo(2, `Waiting for ports that are in use: ${describePorts(ports)}\n`);
    },
    signal: stopping.signal,
  });
  if (taken.length > 0) {
    printStartErrors([
      `another process holds these ports and does not stop: ${describePorts(taken)}`,
      "Nothing was started or migrated. Stop that process (find it with ss -ltnp), or set PORT,",
      "METRICS_PORT or MLLP_PORT to other ports.",
    ]);
    return 1;
  }
  return supervisor.run();
}

/** `onReaderGone`: what reads our output, and supervises these processes, is gone. */
function openOutput(onReaderGone: () => void): Writable {
  const { write } = createLogOutput({
    fd: 1,
    onReaderGone,
    onLost: (count) => write(`${count} pieces of output could not be written\n`),
  });
  return new Writable({
    decodeStrings: false,
    write: (piece: string | Buffer, _encoding, done) => {
      write(String(piece));
      done();
    },
  }).setMaxListeners(0);
}

function printStartErrors(lines: readonly string[]): void {
  printTo(2, `The processes cannot be started:\n  ${lines.join("\n  ")}\n`);
}

function describePorts(taken: readonly TakenPort[]): string {
  return taken.map(({ label, address }) => `${address.port} (${label})`).join(", ");
}

void main().catch(reportFaults).then(endProcess);
