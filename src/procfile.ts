/** `npm run procfile -- [-m web=2,delivery=4]`: all processes of the Procfile on this machine. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadConfig } from "./config/config.ts";
import { readEnvironment } from "./config/environment.ts";
import { exitCodeOf, listenForStop } from "./platform/signals.ts";
import { describeError } from "./platform/error-text.ts";
import { toError } from "./platform/errors.ts";
import { parseFormation, parseProcfile, planInstances } from "./platform/supervisor/formation.ts";
import { createSupervisor, type Supervisor } from "./platform/supervisor/supervisor.ts";

const file = fileURLToPath(new URL("../Procfile", import.meta.url));

/** A process bounds its own stop by its grace and at least a second for each part it closes. */
const extraGraceMs = 10_000;

const plan = async (): Promise<Supervisor> => {
  const { values } = parseArgs({ options: { formation: { type: "string", short: "m" } } });
  const env = readEnvironment();
  const config = loadConfig(env);
  const types = parseProcfile(await readFile(file, "utf8"));
  const counts = parseFormation(values.formation ?? "", types);
  process.stdout.setMaxListeners(0);
  return createSupervisor({
    instances: planInstances(types, counts, config),
    cwd: dirname(file),
    env,
    output: process.stdout,
    graceMs: config.shutdownGraceMs + extraGraceMs,
    restart: { firstMs: 500, maxMs: 30_000, stableMs: 30_000 },
  });
};

/** Configuration, formation or Procfile are wrong: every fault on a line of its own. */
const refuse = (thrown: unknown): never => {
  const error = toError(thrown);
  const faults = "faults" in error && Array.isArray(error.faults) ? error.faults.map(String) : [];
  const lines = faults.length > 0 ? faults : [describeError(error)];
  process.stderr.write(`The processes cannot be started:\n  ${lines.join("\n  ")}\n`);
  return process.exit(2);
};

const supervisor = await plan().catch(refuse);
listenForStop(process, {
  onStop: (signal) => supervisor.stop(signal === "SIGHUP" ? "SIGTERM" : signal),
  onAgain: (signal) => {
    supervisor.kill();
    process.exit(exitCodeOf(signal));
  },
});
// Whoever read our output is gone: without it nobody looks after these processes.
process.stdout.on("error", () => supervisor.stop("SIGTERM"));
process.exit(await supervisor.run());
