/** The command line `sightline`: parses arguments, runs a command, sets the exit code. */
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { Command, CommanderError, Option } from "commander";
import { readArguments, readEnvironment } from "../config/environment.ts";
import { toError } from "../platform/errors.ts";
import { exitCodeOf, listenForStop } from "../platform/process-control.ts";
import { createClient, readCredentials } from "./client.ts";
import { addExplainWebhook } from "./commands/explain-webhook.ts";
import { addExplain } from "./commands/explain.ts";
import { addReconcile } from "./commands/reconcile.ts";
import { changeReplay, listReplays, showReplay, startReplay } from "./commands/replay.ts";
import { addRetryCommands } from "./commands/retry.ts";
import { addVerify } from "./commands/verify.ts";
import { addEventCommands } from "./event-commands.ts";
import { type CommandContext, jsonOption, toFilters, toId } from "./options.ts";
import { CliError, type ExitCode, exitCodes, paint, printStatus, type Shell } from "./shell.ts";

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
  addExplain(program, tools);
  addExplainWebhook(program, tools);
  addReconcile(program, tools);
  addVerify(program, tools);
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

const replayActions = {
  pause: "pause a replay: create no more deliveries for now",
  resume: "resume a paused replay",
  cancel: "cancel a replay and its deliveries that were not sent yet",
} as const;

/** The commands of replays. */
function addReplayCommands(program: Command, tools: CommandContext): void {
  const { shell, connect, action } = tools;
  const replay = program.command("replay").description("replay old events");
  addStart(replay, tools);
  for (const [name, description] of Object.entries(replayActions)) {
    replay
      .command(name)
      .description(description)
      .argument("<replay>", "ID of the replay", toId)
      .addOption(jsonOption())
      .action((id: number, { json }: { json?: true }) =>
        action(() =>
          changeReplay(shell, connect().client, { id, action: name, isJson: json === true }),
        ),
      );
  }
  replay
    .command("show")
    .description("show the progress of a replay")
    .argument("<replay>", "ID of the replay", toId)
    .option("--wait", "wait for its end, and show its progress")
    .addOption(jsonOption())
    .action((id: number, { json, wait }: { json?: true; wait?: true }) =>
      action(() =>
        showReplay(shell, connect().client, { id, isWaited: wait === true, isJson: json === true }),
      ),
    );
  replay
    .command("list")
    .description("list the newest replays")
    .option("--limit <number>", "maximum number of replays", toId, 10)
    .addOption(jsonOption())
    .action(({ limit, json }: { limit: number; json?: true }) =>
      action(() => listReplays(shell, connect().client, { limit, isJson: json === true })),
    );
}

type ReplayFlags = {
  status?: string[];
  since?: string;
  until?: string;
  object?: string;
  eventType?: string;
  result?: string;
  rate?: number;
  dryRun?: true;
  yes?: true;
  wait: boolean;
  json?: true;
};

function addStart(replay: Command, { shell, connect, action }: CommandContext): void {
  replay
    .command("start", { isDefault: true })
    .description(
      "replay old events of a webhook: count, ask for confirmation, start, show the progress",
    )
    .argument("<webhook>", "ID of the webhook", toId)
    .addOption(statusOption())
    .option("--since <time>", "events since this time or day")
    .option("--until <time>", "events before this time, or until the end of this day")
    .option("--object <kind>", "object type, such as ticket")
    .option("--event-type <type>", "type of timeline entries, such as media.OCRDone")
    .option("--result <result>", "result of the last attempt, such as 5xx or timeout_response")
    .option("--rate <number>", "maximum of new deliveries per second", toId)
    .option("--dry-run", "only count, start nothing")
    .option("--yes", "skip the confirmation")
    .option("--no-wait", "do not wait for its end")
    .addOption(jsonOption())
    .action((webhook: number, options: ReplayFlags) => {
      const { rate, dryRun, yes, wait, json, ...criteria } = options;
      return action(() =>
        startReplay(shell, connect().client, {
          webhook,
          criteria,
          ...(rate === undefined ? {} : { rate }),
          isDryRun: dryRun === true,
          isSure: yes === true,
          isWaited: wait,
          isJson: json === true,
        }),
      );
    });
}

function statusOption(): Option {
  return new Option(
    "--status <list>",
    "dead, delivered, cancelled, never_attempted (default: dead)",
  ).argParser<string[]>(toFilters);
}
