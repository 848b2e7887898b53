/**
 * `npm run procfile -- [-m web=2,delivery=4] [-f Procfile]`: all processes of the Procfile on this
 * machine. Their commands run in this folder, wherever the Procfile is.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadConfig } from "./config/config.ts";
import { readEnvironment } from "./config/environment.ts";
import { printStartErrors, runProcfile } from "./embedded/supervisor/run-procfile.ts";
import { describeError, toError } from "./platform/errors.ts";

const ownFile = fileURLToPath(new URL("../Procfile", import.meta.url));

async function run(): Promise<number> {
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

process.exit(await run().catch(reportFaults));
