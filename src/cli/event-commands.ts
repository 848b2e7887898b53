import type { Command } from "commander";
import { listen, timeOfDay, eventName } from "./commands/listen.ts";
import { filtersOption, jsonOption, toId, type CommandContext } from "./options.ts";
import type { ApiClient, Credentials } from "./client.ts";
import {
  exitCodes,
  usageError,
  type ExitCode,
  replaceControls,
  paint,
  printJson,
  printLine,
  type Shell,
  printStatus,
  toJson,
} from "./shell.ts";
import { follow, type StreamedEvent, withTemporaryWebhook } from "./event-stream.ts";

export type SendTestOptions = {
  webhook: number;
  filter?: string;
  event?: string;
  isJson: boolean;
};

type TestSendAnswer = {
  event_id: string;
  sent: { url: string };
  result: {
    code: number | null;
    ms: number;
    error: string | null;
    error_detail: string | null;
    phases: Record<string, number>;
    body: string | null;
  };
};

export type TailOptions = {
  filters: readonly string[];
  webhook?: number;
  after?: string;
  hasBody: boolean;
  isJson: boolean;
};

type SendTestFlags = { filter?: string; event?: string; json?: true };

/** Commands for live events and test events. */
export function addEventCommands(program: Command, tools: CommandContext): void {
  const { shell, connect, action } = tools;
  addListen(program, tools);
  addTail(program, tools);
  program
    .command("send-test")
    .description("send a sample or a past event now, and show the receiver's response")
    .argument("<webhook>", "ID of the webhook", toId)
    .option("--filter <filter>", "a sample of this event, such as ticket.create")
    .option("--event <id>", "a past event, by its ID evt_…")
    .addOption(jsonOption())
    .action((webhook: number, { json, ...options }: SendTestFlags) =>
      action(() =>
        sendTest(shell, connect().client, { webhook, ...options, isJson: json === true }),
      ),
    );
}

type ListenFlags = {
  forward: string;
  filters: string[];
  webhook?: number;
  secret?: string;
  json?: true;
};

function addListen(program: Command, { shell, connect, action }: CommandContext): void {
  program
    .command("listen")
    .description("forward events to a program on this machine, as the platform would send them")
    .requiredOption("--forward <url>", "URL of the program, such as http://localhost:3001/hook")
    .addOption(filtersOption())
    .option("--webhook <id>", "an existing webhook instead of a temporary one", toId)
    .option("--secret <whsec>", "the secret to sign with (or set SIGHTLINE_SECRET)")
    .addOption(jsonOption())
    .action(({ json, ...options }: ListenFlags) =>
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

type TailFlags = {
  filters: string[];
  webhook?: number;
  after?: string;
  body?: true;
  json?: true;
};

function addTail(program: Command, { shell, connect, action }: CommandContext): void {
  program
    .command("events")
    .description("the events of the enterprise")
    .command("tail")
    .description("print events as they happen")
    .addOption(filtersOption())
    .option("--webhook <id>", "an existing webhook instead of a temporary one", toId)
    .option("--after <cursor>", "start after this cursor; needs --webhook")
    .option("--body", "print the bodies too")
    .addOption(jsonOption())
    .action(({ json, body, ...options }: TailFlags) =>
      action(async () => {
        const shown = { hasBody: body === true, isJson: json === true };
        await tailEvents(shell, connect(), { ...options, ...shown });
        return undefined;
      }),
    );
}

/** Prints live events until Ctrl-C. */
async function tailEvents(
  shell: Shell,
  { client, credentials }: { client: ApiClient; credentials: Credentials },
  options: TailOptions,
): Promise<void> {
  const { webhook, filters, after } = options;
  const show = (from: ApiClient, webhookId: number): Promise<void> =>
    follow(shell, from, {
      webhookId,
      after,
      onReady: () => printStatus(shell, `Listening to webhook ${webhookId}. Press Ctrl-C to stop.`),
      onEvent: (event) => printEvent(shell, options, event),
    });
  if (webhook !== undefined) {
    if (filters.length > 0) {
      throw usageError(
        "--filters cannot be combined with --webhook: an existing webhook has its own filters.",
      );
    }
    await show(client, webhook);
    return;
  }
  if (after !== undefined) {
    throw usageError("--after is a cursor of one webhook: add --webhook.");
  }
  const wanted = { filters: filters.length === 0 ? ["*"] : filters };
  await withTemporaryWebhook({ shell, credentials }, wanted, (own, { id }) => show(own, id));
}

function printEvent(shell: Shell, { isJson, hasBody }: TailOptions, event: StreamedEvent): void {
  if (isJson) {
    printLine(shell, toJson(event));
    return;
  }
  const id = paint(shell, "dim", event.event_id ?? "");
  const object = replaceControls(String(event.object_id ?? ""));
  printLine(
    shell,
    `${timeOfDay(event.time)}  #${event.sequence}  ${eventName(event)}  ${object}  ${event.state}  ${id}`,
  );
  if (hasBody) {
    printLine(shell, `  ${replaceControls(event.body ?? "(content no longer stored)")}`);
  }
}

/** Makes the platform send a sample or a past event now. */
async function sendTest(
  shell: Shell,
  client: ApiClient,
  { webhook, filter, event, isJson }: SendTestOptions,
): Promise<ExitCode> {
  if (filter !== undefined && event !== undefined) {
    throw usageError("--filter selects a sample, --event a past event: give only one of them.");
  }
  const body = {
    ...(filter === undefined ? {} : { filter }),
    ...(event === undefined ? {} : { event_id: event }),
  };
  const tested = await client.call<TestSendAnswer>("POST", `/webhooks/${webhook}/test`, {
    body,
    fields: ["event_id", "sent", "result"],
  });
  const { code } = tested.result;
  const isValid = code !== null && code >= 200 && code < 300;
  if (isJson) {
    printJson(shell, tested);
  } else {
    printTestResult(shell, tested, isValid);
  }
  return isValid ? exitCodes.ok : exitCodes.negative;
}

function printTestResult(
  shell: Shell,
  { event_id: id, sent, result }: TestSendAnswer,
  isValid: boolean,
): void {
  const { code, ms, error, error_detail: detail, phases, body } = result;
  const said =
    code === null ? replaceControls(`${error ?? "failed"}: ${detail ?? ""}`) : String(code);
  printLine(shell, `${id} → ${replaceControls(sent.url)}`);
  printLine(shell, `${paint(shell, isValid ? "green" : "red", said)} in ${ms} ms`);
  const times = Object.entries(phases).map(([name, value]) => `${name} ${Math.round(value)} ms`);
  if (times.length > 0) {
    printLine(shell, paint(shell, "dim", times.join(", ")));
  }
  if (body !== null && body !== "") {
    printLine(shell, replaceControls(body));
  }
}
