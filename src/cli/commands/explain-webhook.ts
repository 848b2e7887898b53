import type { ApiClient } from "../client.ts";
import {
  exitCodes,
  paint,
  printJson,
  printLine,
  printTable,
  replaceControls,
  type ExitCode,
  type Shell,
} from "../shell.ts";
import type { Command } from "commander";
import { jsonOption, toId, type CommandContext } from "../options.ts";

type ExplainWebhookFlags = { since?: string; until?: string; operator?: true; json?: true };

/** The command `explain-webhook`. */
export function addExplainWebhook(
  program: Command,
  { shell, connect, action }: CommandContext,
): void {
  program
    .command("explain-webhook")
    .description("show what a webhook received in a period, and why it did not receive the rest")
    .argument("<webhook>", "webhook ID", toId)
    .option("--since <time>", "events since this time or day (default: the last hour)")
    .option("--until <time>", "events before this time, or until the end of this day")
    .option("--operator", "a webhook of any enterprise, for superadmins; without its content")
    .addOption(jsonOption())
    .action((webhook: number, { json, operator, ...period }: ExplainWebhookFlags) =>
      action(() =>
        explainWebhook(shell, connect().client, {
          ...period,
          webhook,
          isOperator: operator === true,
          isJson: json === true,
        }),
      ),
    );
}

type ExplainWebhookOptions = {
  webhook: number;
  since?: string;
  until?: string;
  /** Asks for a webhook of any enterprise; the answer has no content of the enterprise. */
  isOperator: boolean;
  isJson: boolean;
};

type VerdictAnswer = {
  verdict: string;
  count: number;
  mismatches: { object: number; event: number; eventType: number };
  text?: string;
  example?: { event_id: string };
};

type KindAnswer = {
  object: string;
  event: string;
  event_type: string | null;
  count: number;
  matched: number;
};

type WebhookAnswer = {
  webhook: number;
  name?: string;
  enterprise?: number;
  since: string;
  until: string;
  verdict: string;
  text: string;
  advice: string;
  verdicts: VerdictAnswer[];
  kinds?: KindAnswer[];
  deliveries: number;
  states: { status: string; count: number }[];
  results: { result: string; count: number }[];
  attempts: { delivered: number; failed: number };
  health: {
    state: string;
    due: { count: number; more: boolean };
    oldest_due: string | null;
    throttled_until: string | null;
    next_probe: string | null;
  };
  off: { since: string; until: string | null; reason: string | null; changed_by?: string | null }[];
};

/** Verdicts that mean that events for the webhook have not arrived. Old servers say `set_aside`. */
const lostVerdicts: readonly string[] = [
  ...["gap", "dead_letter", "set_aside", "off", "throttled", "circuit_open", "failing"],
  ...["not_fanned_out", "behind", "waits_for_other", "cancelled", "available", "removed"],
];

/** Explains one webhook and a period. Exit code 1 if events have not arrived. Old servers say `set_aside`. */
async function explainWebhook(
  shell: Shell,
  client: ApiClient,
  { webhook, since, until, isOperator, isJson }: ExplainWebhookOptions,
): Promise<ExitCode> {
  const path = `${isOperator ? "/platform" : ""}/webhooks/${webhook}/explain`;
  const answer = await client.call<WebhookAnswer>("GET", path, {
    query: { since, until },
    fields: ["verdict", "verdicts", "states", "results", "attempts", "health", "off"],
  });
  if (isJson) {
    printJson(shell, answer);
  } else {
    print(shell, answer);
  }
  return lostVerdicts.includes(answer.verdict) ? exitCodes.negative : exitCodes.ok;
}

function print(shell: Shell, answer: WebhookAnswer): void {
  const { webhook, name = "", enterprise, since, until, verdict } = answer;
  const owner = enterprise === undefined ? "" : ` of enterprise ${enterprise}`;
  const title = `webhook ${webhook}${name === "" ? "" : ` (${replaceControls(name)})`}${owner}`;
  const colour = lostVerdicts.includes(verdict) ? "red" : "green";
  printLine(shell, `${paint(shell, "bold", title)}  ${since} to ${until}`);
  printLine(shell, `${paint(shell, colour, verdict)}: ${replaceControls(answer.text)}`);
  printLine(shell, replaceControls(answer.advice));
  printVerdicts(shell, answer);
  printKinds(shell, answer.kinds ?? []);
  for (const line of factsOf(answer)) {
    printLine(shell, replaceControls(line));
  }
}

function printVerdicts(shell: Shell, { verdicts }: WebhookAnswer): void {
  if (verdicts.length > 0) {
    printLine(shell, "");
    printTable(
      shell,
      ["verdict", "events", "why", "example"],
      verdicts.map((one) => [one.verdict, one.count, whyOf(one), one.example?.event_id ?? ""]),
    );
  }
}

function whyOf({ verdict, mismatches, text = "" }: VerdictAnswer): string {
  const parts = [
    ...(mismatches.object > 0 ? [`the object (${mismatches.object})`] : []),
    ...(mismatches.event > 0 ? [`the event (${mismatches.event})`] : []),
    ...(mismatches.eventType > 0 ? [`the event type (${mismatches.eventType})`] : []),
  ];
  return verdict === "filters" ? `No filter matches ${parts.join(", ")}.` : text;
}

const mostKinds = 10;

function printKinds(shell: Shell, kinds: readonly KindAnswer[]): void {
  if (kinds.length > 0) {
    printLine(shell, "");
    printTable(
      shell,
      ["kind of event", "happened", "matched"],
      kinds
        .slice(0, mostKinds)
        .map(({ object, event, event_type: type, count, matched }) => [
          `${object}.${event}${type === null ? "" : `:${type}`}`,
          count,
          matched,
        ]),
    );
  }
}

/** The deliveries, the requests, and the state of the webhook. */
function factsOf({ deliveries, states, results, attempts, health, off }: WebhookAnswer): string[] {
  const { state, due, oldest_due: oldest, throttled_until: pause, next_probe: probe } = health;
  const list = (items: readonly string[]) => (items.length === 0 ? "" : ` (${items.join(", ")})`);
  return [
    "",
    `${deliveries} deliveries${list(states.map((one) => `${one.count} ${one.status}`))}` +
      (results.length === 0
        ? ""
        : `, last results${list(results.map((one) => `${one.count} ${one.result}`))}`),
    `${attempts.delivered + attempts.failed} requests in the period, ${attempts.failed} failed`,
    `health: ${state}, ${due.count}${due.more ? "+" : ""} due` +
      (oldest === null ? "" : ` since ${oldest}`) +
      (pause === null ? "" : `, paused by the receiver until ${pause}`) +
      (probe === null ? "" : `, next probe at ${probe}`),
    ...off.map(
      ({ since, until, reason, changed_by: by = null }) =>
        `disabled from ${since} to ${until ?? "now"}` +
        (reason === null ? "" : ` (${reason === "created" ? "created as disabled" : reason})`) +
        (by === null ? "" : ` by ${by}`),
    ),
  ];
}
