/**
 * `npm run procfile -- [-m web=2,delivery=4] [-f Procfile]`: all processes of the Procfile on this
 * machine. Their commands run in this folder, wherever the Procfile lies.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadConfig } from "./config/config.ts";
import { readEnvironment } from "./config/environment.ts";
import { exitCodeOf, listenForStop } from "./platform/process-control.ts";
import { describeError, toError } from "./platform/errors.ts";
import {
  parseFormation,
  parseProcfile,
  planInstances,
  type Instance,
} from "./embedded/supervisor/formation.ts";
import { waitForPorts, type TakenPort } from "./embedded/supervisor/ports.ts";
import { createSupervisor, type Supervisor } from "./embedded/supervisor/supervisor.ts";

const ownFile = fileURLToPath(new URL("../Procfile", import.meta.url));

/** A process bounds its own stop by its drain, its grace and a second for each part it closes. */
const extraGraceMs = 10_000;

/** A start on a busy machine, once the database answers. */
const startMs = 60_000;

type Plan = { instances: readonly Instance[]; graceMs: number; supervisor: Supervisor };

async function plan(): Promise<Plan> {
  const { values } = parseArgs({
    options: {
      formation: { type: "string", short: "m" },
      procfile: { type: "string", short: "f", default: ownFile },
    },
  });
  const env = readEnvironment();
  // npm changes to the folder of the package, and names the one it was called in.
  const config = loadConfig(env);
  const types = parseProcfile(
    await readFile(resolve(env["INIT_CWD"] ?? "", values.procfile), "utf8"),
  );
  const counts = parseFormation(values.formation ?? "", types);
  const instances = planInstances(types, counts, config);
  const graceMs = config.shutdownDrainMs + config.shutdownGraceMs + extraGraceMs;
  process.stdout.setMaxListeners(0);
  const supervisor = createSupervisor({
    instances,
    cwd: dirname(ownFile),
    env,
    output: process.stdout,
    graceMs,
    readyWithinMs: config.databaseWaitMs + startMs,
    noticeMs: config.shutdownDrainMs,
    restart: { firstMs: 500, maxMs: 30_000, stableMs: 30_000 },
  });
  return { instances, graceMs, supervisor };
}

function tell(lines: readonly string[]): void {
  process.stderr.write(`The processes cannot be started:\n  ${lines.join("\n  ")}\n`);
}

/** Configuration, formation or Procfile are wrong: every fault on a line of its own. */
function refuse(thrown: unknown): never {
  const error = toError(thrown);
  const faults = "faults" in error && Array.isArray(error.faults) ? error.faults.map(String) : [];
  tell(faults.length > 0 ? faults : [describeError(error)]);
  return process.exit(2);
}

function describePorts(taken: readonly TakenPort[]): string {
  return taken.map(({ label, address }) => `${address.port} (${label})`).join(", ");
}

const { instances, graceMs, supervisor } = await plan().catch(refuse);
const stopping = new AbortController();
listenForStop(process, {
  onStop: (signal) => {
    stopping.abort();
    supervisor.stop(signal === "SIGHUP" ? "SIGTERM" : signal);
  },
  onAgain: (signal) => {
    supervisor.kill();
    process.exit(exitCodeOf(signal));
  },
});
process.on("SIGUSR2", () => void supervisor.restart());
// Whoever read our output is gone: without it nobody looks after these processes.
process.stdout.on("error", () => supervisor.stop("SIGTERM"));

const taken = await waitForPorts({
  instances,
  stopWithinMs: graceMs,
  onWait: (ports) => {
    process.stderr.write(`Waiting for ports that are in use: ${describePorts(ports)}\n`);
  },
  signal: stopping.signal,
});
if (taken.length > 0) {
  tell([
    `another process holds these ports and does not stop: ${describePorts(taken)}`,
    "Nothing was started or migrated. Stop it (ss -ltnp names it), or set PORT, METRICS_PORT or",
    "MLLP_PORT to others.",
  ]);
  process.exit(1);
}
process.exit(await supervisor.run());
