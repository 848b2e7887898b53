import type { Command } from "commander";
import { listen } from "./commands/listen.ts";
import { sendTest } from "./commands/send-test.ts";
import { tailEvents } from "./commands/tail.ts";
import { filtersOption, jsonOption, toId } from "./options.ts";
import type { Tools } from "./tools.ts";

type TestWords = { filter?: string; event?: string; json?: true };

/** Commands about single events, as they happen. */
export function addEventCommands(program: Command, tools: Tools): void {
  const { shell, connect, action } = tools;
  addListen(program, tools);
  addTail(program, tools);
  program
    .command("send-test")
    .description("have a sample, or an event of the past, sent now; shows the receiver's answer")
    .argument("<webhook>", "id of the webhook", toId)
    .option("--filter <filter>", "a sample of this kind, as ticket.create")
    .option("--event <id>", "a real event, as evt_…")
    .addOption(jsonOption())
    .action((webhook: number, { json, ...options }: TestWords) =>
      action(() =>
        sendTest(shell, connect().client, { webhook, ...options, isJson: json === true }),
      ),
    );
}

type ListenWords = {
  forward: string;
  filters: string[];
  webhook?: number;
  secret?: string;
  json?: true;
};

function addListen(program: Command, { shell, connect, action }: Tools): void {
  program
    .command("listen")
    .description("send what happens to a program on this machine, as the platform would")
    .requiredOption("--forward <url>", "where to, as http://localhost:3001/hook")
    .addOption(filtersOption())
    .option("--webhook <id>", "an existing webhook instead of one of its own", toId)
    .option("--secret <whsec>", "what to sign with (or set SIGHTLINE_SECRET)")
    .addOption(jsonOption())
    .action(({ json, ...options }: ListenWords) =>
      action(async () => {
        const secret = options.secret ?? shell.env["SIGHTLINE_SECRET"];
        await listen(shell, connect(), {
          ...options,
          ...(secret === undefined ? {} : { secret }),
          isJson: json === true,
        });
        return undefined;
      }),
    );
}

type TailWords = {
  filters: string[];
  webhook?: number;
  after?: string;
  body?: true;
  json?: true;
};

function addTail(program: Command, { shell, connect, action }: Tools): void {
  program
    .command("events")
    .description("what happens in the enterprise")
    .command("tail")
    .description("show events as they come")
    .addOption(filtersOption())
    .option("--webhook <id>", "an existing webhook instead of one of its own", toId)
    .option("--after <cursor>", "begin behind this place, with --webhook")
    .option("--body", "show the content too")
    .addOption(jsonOption())
    .action(({ json, body, ...options }: TailWords) =>
      action(async () => {
        const shown = { hasBody: body === true, isJson: json === true };
        await tailEvents(shell, connect(), { ...options, ...shown });
        return undefined;
      }),
    );
}
