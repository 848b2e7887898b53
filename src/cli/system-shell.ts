import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { readEnvironment } from "../config/environment.ts";
import { toError } from "../platform/errors.ts";
import { CliError, exitCodes } from "./exit.ts";
import type { Shell } from "./shell.ts";

/** The terminal, the environment and the network of this process. */
export function createSystemShell(signal: AbortSignal): Shell {
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
