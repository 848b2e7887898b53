import { readArguments, readEnvironment } from "../config/environment.ts";
import { exitCodeOf, listenForStop } from "../platform/process-control.ts";
import { run } from "./program.ts";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { toError } from "../platform/errors.ts";
import { CliError, exitCodes, type Shell } from "./shell.ts";

/** The command line as a process. The first Ctrl-C tidies up and ends it, the second ends it. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  const stopListening = listenForStop(process, {
    onStop: () => stop.abort(),
    onAgain: (signal) => process.exit(exitCodeOf(signal)),
  });
  // Whoever reads the output may have had enough: `sightline events tail | head`.
  process.stdout.on("error", () => stop.abort());
  process.exitCode = await run(createSystemShell(stop.signal), readArguments());
  stopListening();
}

/** The terminal, the environment and the network of this process. */
function createSystemShell(signal: AbortSignal): Shell {
  const env = readEnvironment();
  const { stdin, stdout, stderr } = process;
  const hasNoColour = (env["NO_COLOR"] ?? "") !== "";
  return {
    env,
    out: (chunk) => void stdout.write(chunk),
    err: (chunk) => void stderr.write(chunk),
    isTerminal: stderr.isTTY,
    hasColours: stdout.isTTY && !hasNoColour,
    signal,
    ask: stdin.isTTY && stderr.isTTY ? (question) => ask(question, signal) : undefined,
    readFile: async (path) =>
      readFile(path).catch((thrown: unknown) => {
        throw new CliError(exitCodes.refused, `Cannot read ${path}: ${toError(thrown).message}`);
      }),
    readInput: () => text(stdin),
    fetch,
    now: () => new Date(),
  };
}

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } catch {
    throw new CliError(exitCodes.interrupted, "Interrupted.");
  } finally {
    lines.close();
  }
}
