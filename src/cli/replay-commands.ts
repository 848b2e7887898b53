import { type Command, Option } from "commander";
import { listReplays, changeReplay, showReplay, startReplay } from "./commands/replay.ts";
import { jsonOption, toFilters, toId, type CommandContext } from "./options.ts";

const replayActions = {
  pause: "pause a replay: create no more deliveries for now",
  resume: "resume a paused replay",
  cancel: "cancel a replay and its deliveries that were not sent yet",
} as const;

/** The commands of replays. */
export function addReplayCommands(program: Command, tools: CommandContext): void {
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
    .option("--result <result>", "result of the last attempt, such as 5xx or timeout")
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
