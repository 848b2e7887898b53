import type { ApiClient } from "../client.ts";
import {
  exitCodes,
  usageError,
  type ExitCode,
  replaceControls,
  paint,
  printJson,
  printLine,
  type Colour,
  type Shell,
} from "../shell.ts";
import type { Command } from "commander";
import { jsonOption, type CommandContext } from "../options.ts";

type ExplainFlags = { object?: string; id?: string; time?: string; json?: true };

/** The command `explain`. */
export function addExplain(program: Command, { shell, connect, action }: CommandContext): void {
  program
    .command("explain")
    .description("show what happened to an event at every webhook of the enterprise, and why")
    .argument("[event]", "event ID, evt_…")
    .option("--object <kind>", "instead of an event ID: the object type, such as ticket")
    .option("--id <id>", "with --object: its ID")
    .option("--time <time>", "with --object: the approximate time")
    .addOption(jsonOption())
    .action((event: string | undefined, { json, ...options }: ExplainFlags) =>
      action(() =>
        explain(shell, connect().client, {
          ...(event === undefined ? {} : { event }),
          ...options,
          isJson: json === true,
        }),
      ),
    );
}

type ExplainOptions = {
  event?: string;
  object?: string;
  id?: string;
  time?: string;
  isJson: boolean;
};

type EventFacts = {
  event_id: string;
  object: string;
  event: string;
  event_type: string | null;
  object_id: number | string;
  time: string;
};

type ExplainedWebhook = {
  webhook: number;
  name: string;
  deleted: boolean;
  verdict: string;
  text: string;
  changed_by: string | null;
  delivery: { id: number } | null;
  filters: { filter: string; mismatch: string }[];
  conditions: { condition: string; found: { path: string; value: string | null }[] }[];
  replays: { replay: number; status: string }[];
};

type ExplainAnswer = { event: EventFacts; candidates: EventFacts[]; webhooks: ExplainedWebhook[] };

/** Verdicts that need action. Servers of the previous version say `set_aside`, not `dead_letter`. */
const lostVerdicts: readonly string[] = ["dead", "cancelled", "dead_letter", "set_aside", "gap"];

/** Explains what happened to an event at every webhook. Exit code 1 if one of them lost it. */
async function explain(
  shell: Shell,
  client: ApiClient,
  { event, object, id, time, isJson }: ExplainOptions,
): Promise<ExitCode> {
  const about = [object, id, time];
  const isEvent = event !== undefined && about.every((word) => word === undefined);
  const isObject = event === undefined && about.every((word) => word !== undefined);
  if (!isEvent && !isObject) {
    throw usageError("Give an event ID (evt_…), or --object, --id and --time.");
  }
  const query = { event_id: event, object, objectId: id, time };
  const answer = await client.call<ExplainAnswer>("GET", "/webhooks/explain", {
    query,
    fields: ["event", "candidates", "webhooks"],
  });
  if (isJson) {
    printJson(shell, answer);
  } else {
    print(shell, answer);
  }
  return answer.webhooks.some(isLost) ? exitCodes.negative : exitCodes.ok;
}

function print(shell: Shell, { event, candidates, webhooks }: ExplainAnswer): void {
  printLine(shell, `${event.event_id}  ${nameOf(event)}`);
  if (webhooks.length === 0) {
    printLine(shell, "The enterprise has no webhooks.");
  }
  webhooks.forEach((one) => printWebhook(shell, one));
  const others = candidates.filter(({ event_id: id }) => id !== event.event_id);
  if (others.length > 0) {
    printLine(shell, "Other events of this object around that time:");
    others.forEach((one) => printLine(shell, `  ${one.event_id}  ${nameOf(one)}`));
  }
}

function nameOf({ object, event, event_type: type, object_id: id, time }: EventFacts): string {
  return replaceControls(`${object}.${event}${type === null ? "" : `:${type}`} ${id} at ${time}`);
}

function printWebhook(shell: Shell, one: ExplainedWebhook): void {
  const title = `webhook ${one.webhook}${one.name === "" ? "" : ` (${replaceControls(one.name)})`}`;
  const by = one.changed_by === null ? "" : ` By ${replaceControls(one.changed_by)}.`;
  const verdict = paint(shell, colourOf(one.verdict), one.verdict);
  printLine(shell, `${paint(shell, "bold", title)}  ${verdict}`);
  printLine(shell, `  ${replaceControls(one.text)}${by}`);
  for (const line of detailsOf(one)) {
    printLine(shell, `  ${paint(shell, "dim", replaceControls(line))}`);
  }
}

const deliveredVerdicts: readonly string[] = ["delivered", "available", "pulled"];

function colourOf(verdict: string): Colour {
  if (deliveredVerdicts.includes(verdict)) {
    return "green";
  }
  return lostVerdicts.includes(verdict) ? "red" : "yellow";
}

/** The details of a verdict: filters, conditions and replays. */
function detailsOf({
  filters,
  conditions,
  replays,
  delivery,
  webhook,
}: ExplainedWebhook): string[] {
  return [
    ...filters.map(({ filter, mismatch }) => `filter ${filter}: ${mismatch}`),
    ...conditions.map(({ condition, found }) => {
      const values = found.map(({ path, value }) => `${path} is ${value ?? "absent"}`);
      return `condition ${condition}: ${values.join(", ")}`;
    }),
    ...replays.map(({ replay, status }) => `replay ${replay}: ${status}`),
    ...(delivery === null ? [] : [`more: GET /api/webhooks/${webhook}/deliveries/${delivery.id}`]),
  ];
}

/** Whether the event is lost: no replay has delivered it since. */
function isLost({ verdict, replays }: ExplainedWebhook): boolean {
  return lostVerdicts.includes(verdict) && !replays.some(({ status }) => status === "delivered");
}
