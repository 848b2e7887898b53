/** The commands and their options: words → values → what a command does → an exit code. */
import { Command, CommanderError } from "commander";
import { createClient, readCredentials } from "./client.ts";
import { addEventCommands } from "./event-commands.ts";
import { addReplayCommands } from "./replay-commands.ts";
import { addRetryCommands } from "./commands/retry.ts";
import { CliError, exitCodes, type ExitCode, paint, printStatus, type Shell } from "./shell.ts";
import { addInspectCommands } from "./inspect-commands.ts";
import type { CommandContext } from "./options.ts";

/** Runs one command line. Resolves with the exit code; rejects for our own faults only. */
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
The platform: SIGHTLINE_URL (http://127.0.0.1:3000 where it is not set).
Who calls: SIGHTLINE_TOKEN, or SIGHTLINE_LOGIN and SIGHTLINE_PASSWORD.

Exit codes: 0 done · 1 the answer is no · 2 wrong usage · 3 not reached or refused · 130 interrupted`;

function createProgram(shell: Shell, end: (code: ExitCode) => void): Command {
  const program = new Command("sightline")
    .description("The webhooks of a Sightline platform, from a terminal")
    .exitOverride()
    .configureOutput({ writeOut: shell.out, writeErr: shell.err })
    .addHelpText("after", help)
    .showHelpAfterError("(--help shows what there is)");
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
