import { type Command, Option } from "commander";
import { listReplays, changeReplay, showReplay, startReplay } from "./commands/replay.ts";
import { jsonOption, toFilters, toId, type CommandContext } from "./options.ts";

const replayActions = {
  pause: "make no more deliveries, for now",
  resume: "let a paused one go on",
  cancel: "end it, and cancel what is not sent yet",
} as const;

/** The commands of replays. */
export function addReplayCommands(program: Command, tools: CommandContext): void {
  const { shell, connect, action } = tools;
  const replay = program.command("replay").description("deliver old events again");
  addStart(replay, tools);
  for (const [name, description] of Object.entries(replayActions)) {
    replay
      .command(name)
      .description(description)
      .argument("<replay>", "id of the replay", toId)
      .addOption(jsonOption())
      .action((id: number, { json }: { json?: true }) =>
        action(() =>
          changeReplay(shell, connect().client, { id, action: name, isJson: json === true }),
        ),
      );
  }
  replay
    .command("show")
    .description("how far a replay has come")
    .argument("<replay>", "id of the replay", toId)
    .option("--wait", "watch it to its end")
    .addOption(jsonOption())
    .action((id: number, { json, wait }: { json?: true; wait?: true }) =>
      action(() =>
        showReplay(shell, connect().client, { id, isWaited: wait === true, isJson: json === true }),
      ),
    );
  replay
    .command("list")
    .description("the newest replays")
    .option("--limit <number>", "how many", toId, 10)
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
    .description("deliver old events of a webhook again: counts, asks, starts and watches")
    .argument("<webhook>", "id of the webhook", toId)
    .addOption(statusOption())
    .option("--since <time>", "events from this time or day on")
    .option("--until <time>", "events before this time, or until the end of this day")
    .option("--object <kind>", "as ticket")
    .option("--event-type <type>", "of timeline entries, as media.OCRDone")
    .option("--result <result>", "how the last attempt ended, as 5xx or timeout")
    .option("--rate <number>", "deliveries made a second at most", toId)
    .option("--dry-run", "count only")
    .option("--yes", "do not ask")
    .option("--no-wait", "do not watch it")
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
