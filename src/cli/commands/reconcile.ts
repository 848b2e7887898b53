import type { ApiClient } from "../client.ts";
import {
  exitCodes,
  type ExitCode,
  paint,
  printJson,
  printLine,
  printStatus,
  type Shell,
  printTable,
} from "../shell.ts";
import type { Command } from "commander";
import { jsonOption, type CommandContext } from "../options.ts";

type ReconcileFlags = { since?: string; until?: string; json?: true };

/** The command `reconcile`. */
export function addReconcile(program: Command, { shell, connect, action }: CommandContext): void {
  program
    .command("reconcile")
    .description("compare events with deliveries; exit code 1 if there is a gap")
    .option("--since <time>", "events since this time or day (default: the last day)")
    .option("--until <time>", "events before this time, or until the end of this day")
    .addOption(jsonOption())
    .action(({ json, ...options }: ReconcileFlags) =>
      action(() => reconcile(shell, connect().client, { ...options, isJson: json === true })),
    );
}

type ReconcileOptions = { since?: string; until?: string; isJson: boolean };

type GapAnswer = {
  webhook: number;
  event_id: string;
  object: string;
  event: string;
  event_type: string | null;
  object_id: number | string;
  time: string;
  reason: string;
};

type CountsAnswer = {
  events: number;
  expected: number;
  found: number;
  waiting: number;
  undetermined: number;
};

/** A long period needs several answers. */
type ReconcilePage = CountsAnswer & {
  since: string;
  until: string;
  kept_since: string;
  clamped: boolean;
  gaps: GapAnswer[];
  next_cursor: string | null;
};

/** Compares all events of a period with their deliveries. Exit code 1 if there are gaps. */
async function reconcile(
  shell: Shell,
  client: ApiClient,
  options: ReconcileOptions,
): Promise<ExitCode> {
  const sum = await readAll(shell, client, options);
  if (options.isJson) {
    const { next_cursor: _end, ...shown } = sum;
    printJson(shell, shown);
  } else {
    print(shell, sum);
  }
  return sum.gaps.length === 0 ? exitCodes.ok : exitCodes.negative;
}

const progressEveryMs = 5_000;

/** Reads all pages of the period. */
async function readAll(
  shell: Shell,
  client: ApiClient,
  { since, until }: ReconcileOptions,
): Promise<ReconcilePage> {
  const readPage = (query: Record<string, string | undefined>): Promise<ReconcilePage> =>
    client.call<ReconcilePage>("GET", "/webhooks/reconcile", {
      query,
      fields: ["gaps", "next_cursor"],
    });
  let sayAtMs = performance.now() + progressEveryMs;
  let sum = await readPage({ since, until });
  while (sum.next_cursor !== null) {
    if (performance.now() >= sayAtMs) {
      sayAtMs = performance.now() + progressEveryMs;
      printStatus(shell, `${sum.events} events compared so far, ${sum.gaps.length} gaps.`);
    }
    sum = add(sum, await readPage({ cursor: sum.next_cursor }));
  }
  return sum;
}

const countNames = ["events", "expected", "found", "waiting", "undetermined"] as const;

function add(sum: ReconcilePage, part: ReconcilePage): ReconcilePage {
  return {
    ...sum,
    ...Object.fromEntries(countNames.map((name) => [name, sum[name] + part[name]])),
    gaps: [...sum.gaps, ...part.gaps],
    next_cursor: part.next_cursor,
  };
}

function print(shell: Shell, { gaps, ...sum }: ReconcilePage): void {
  printLine(
    shell,
    `${sum.since} to ${sum.until}: ${sum.events} events, ${sum.expected} deliveries expected, ` +
      `${sum.found} found.`,
  );
  if (sum.clamped) {
    printLine(shell, `Events before ${sum.kept_since} are no longer stored and were not compared.`);
  }
  if (sum.waiting > 0) {
    printLine(shell, `${sum.waiting} recent events are not fanned out yet and were not compared.`);
  }
  if (sum.undetermined > 0) {
    printLine(
      shell,
      `${sum.undetermined} could not be checked: the content was removed, or the webhook was changed within those seconds.`,
    );
  }
  if (gaps.length === 0) {
    const isAll = sum.undetermined === 0;
    const text = isAll ? "No gaps." : "No gaps among the events that could be checked.";
    printLine(shell, paint(shell, isAll ? "green" : "yellow", text));
    return;
  }
  printTable(
    shell,
    ["webhook", "event", "type", "object id", "time", "reason"],
    gaps.map((gap) => [
      gap.webhook,
      gap.event_id,
      `${gap.object}.${gap.event}${gap.event_type === null ? "" : `:${gap.event_type}`}`,
      gap.object_id,
      gap.time,
      gap.reason,
    ]),
  );
  printLine(shell, paint(shell, "red", `${gaps.length} gap${gaps.length === 1 ? "" : "s"}.`));
}
