/** The command line `sightline`: parses arguments, runs a command, sets the exit code. */
import { readArguments, readEnvironment } from "../config/environment.ts";
import { exitCodeOf, listenForStop } from "../platform/process-control.ts";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { toError } from "../platform/errors.ts";
import { CliError, exitCodes, type Shell, type ExitCode, paint, printStatus } from "./shell.ts";
import { Command, CommanderError } from "commander";
import { createClient, readCredentials } from "./client.ts";
import { addEventCommands } from "./event-commands.ts";
import { addReplayCommands } from "./replay-commands.ts";
import { addRetryCommands } from "./commands/retry.ts";
import { addInspectCommands } from "./inspect-commands.ts";
import type { CommandContext } from "./options.ts";

/** Runs as a process. The first Ctrl-C stops it gracefully, the second immediately. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  const stopListening = listenForStop(process, {
    onStop: () => stop.abort(),
    onAgain: (signal) => process.exit(exitCodeOf(signal)),
  });
  // The reader of the output may close the pipe: `sightline events tail | head`.
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

/** Runs one command line. Resolves with the exit code. Rejects only for internal errors. */
export async function run(shell: Shell, words: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const program = createProgram(shell, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (thrown) {
    return codeOf(shell, thrown);
  }
  return shell.signal.aborted ? exitCodes.interrupted : code;
}

const help = `
Platform: SIGHTLINE_URL (default http://127.0.0.1:3000).
Credentials: SIGHTLINE_TOKEN, or SIGHTLINE_LOGIN and SIGHTLINE_PASSWORD.

Exit codes: 0 success · 1 problem found · 2 invalid usage · 3 unreachable or refused · 130 interrupted`;

function createProgram(shell: Shell, end: (code: ExitCode) => void): Command {
  const program = new Command("sightline")
    .description("Manage and debug the webhooks of a Sightline platform")
    .exitOverride()
    .configureOutput({ writeOut: shell.out, writeErr: shell.err })
    .addHelpText("after", help)
    .showHelpAfterError("(--help shows the usage)");
  const tools: CommandContext = {
    shell,
    connect: () => {
      const credentials = readCredentials(shell);
      return { credentials, client: createClient(shell, credentials) };
    },
    action: async (work) => end((await work()) ?? exitCodes.ok),
  };
  addEventCommands(program, tools);
  addReplayCommands(program, tools);
  addRetryCommands(program, tools);
  addInspectCommands(program, tools);
  return program;
}

function codeOf(shell: Shell, thrown: unknown): ExitCode {
  if (thrown instanceof CommanderError) {
    return thrown.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
  if (thrown instanceof CliError) {
    printStatus(
      shell,
      paint({ hasColours: shell.hasColours && shell.isTerminal }, "red", thrown.message),
    );
    return thrown.code;
  }
  throw thrown;
}
