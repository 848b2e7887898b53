import { setTimeout as delay } from "node:timers/promises";
import cliProgress from "cli-progress";
import type { ApiClient, JsonObject } from "../client.ts";
import {
  CliError,
  exitCodes,
  usageError,
  type ExitCode,
  printJson,
  printLine,
  printStatus,
  type Shell,
  printFacts,
  printTable,
} from "../shell.ts";

export type ReplayOptions = {
  webhook: number;
  criteria: JsonObject;
  rate?: number;
  isDryRun: boolean;
  isSure: boolean;
  isWaited: boolean;
  isJson: boolean;
};

/** A replay as the API shows it. */
type ReplayView = {
  id: number;
  webhook: number;
  state: string;
  total: number | null;
  made: number;
  delivered: number;
  dead: number;
  cancelled: number;
  waiting: number;
  progress: number;
  deliveries_per_second: number;
  estimated_end: string | null;
  error: string | null;
};

type ReplayList = { data: (ReplayView & { created: string })[] };

const replayFields = ["id", "state", "progress", "waiting"] as const;

type PreviewAnswer = {
  count: number;
  exact: boolean;
  skipped: number;
  oldest: string | null;
  newest: string | null;
};

type ProgressMeter = { update(replay: ReplayView): void; end(): void };

/** Counts the events, asks for confirmation, starts the replay and watches it. */
export async function startReplay(
  shell: Shell,
  client: ApiClient,
  options: ReplayOptions,
): Promise<ExitCode> {
  const { webhook, criteria, rate, isJson } = options;
  const path = `/webhooks/${webhook}/replay`;
  const preview = await client.call<PreviewAnswer>("POST", `${path}/preview`, {
    body: criteria,
    fields: ["count", "exact"],
  });
  if (options.isDryRun) {
    if (isJson) {
      printJson(shell, preview);
    } else {
      printLine(shell, `A replay would create ${describePreview(preview)}`);
    }
    return exitCodes.ok;
  }
  printStatus(shell, `The replay creates ${describePreview(preview)}`);
  if (preview.count === 0 && preview.exact) {
    printStatus(shell, "Nothing to do.");
    if (isJson) {
      printJson(shell, preview);
    }
    return exitCodes.ok;
  }
  if (!(await confirm(shell, options))) {
    printStatus(shell, "Nothing was started.");
    return exitCodes.ok;
  }
  const body = rate === undefined ? criteria : { ...criteria, rate };
  const started = await client.call<ReplayView>("POST", path, { body, fields: replayFields });
  printStatus(shell, `Replay ${started.id} has started.`);
  if (!options.isWaited) {
    show(shell, started, isJson);
    return exitCodes.ok;
  }
  return finish(shell, await watch(shell, client, started), isJson);
}

function describePreview({ count, exact, oldest, newest, skipped }: PreviewAnswer): string {
  const many = `${exact ? "" : "at least "}${count} deliver${count === 1 ? "y" : "ies"}`;
  const span = oldest === null ? "" : `, of events from ${oldest} to ${newest}`;
  const lost = skipped > 0 ? ` ${skipped} more are skipped: their content was removed.` : "";
  return `${many}${span}.${lost}`;
}

/** Confirmed by `--yes` or by the person at the terminal. */
async function confirm(shell: Shell, { isSure }: ReplayOptions): Promise<boolean> {
  if (isSure) {
    return true;
  }
  if (shell.ask === undefined) {
    throw usageError(
      "Cannot ask for confirmation without a terminal: add --yes to replay, or --dry-run to count only.",
    );
  }
  return /^y(?:es)?$/iu.test((await shell.ask("Replay these events? [y/N] ")).trim());
}

/** Shows the state of a replay. */
export async function showReplay(
  shell: Shell,
  client: ApiClient,
  { id, isWaited, isJson }: { id: number; isWaited: boolean; isJson: boolean },
): Promise<ExitCode> {
  const replay = await get(client, id);
  if (isWaited) {
    return finish(shell, await watch(shell, client, replay), isJson);
  }
  show(shell, replay, isJson);
  return exitCodes.ok;
}

function finish(shell: Shell, replay: ReplayView, isJson: boolean): ExitCode {
  show(shell, replay, isJson);
  if (replay.state === "paused") {
    printStatus(shell, `The replay is paused. To resume: sightline replay resume ${replay.id}.`);
    return exitCodes.negative;
  }
  return codeOf(replay);
}

/** Exit code 1 unless every delivery succeeded. */
function codeOf({ state, dead }: ReplayView): ExitCode {
  return state === "done" && dead === 0 ? exitCodes.ok : exitCodes.negative;
}

const pollMs = 1_000;

/** Watches a replay to its end. Ctrl-C stops watching, not the replay, and prints how to resume. */
async function watch(shell: Shell, client: ApiClient, first: ReplayView): Promise<ReplayView> {
  const meter = shell.isTerminal ? createBar(shell) : createLines(shell);
  let replay = first;
  try {
    for (;;) {
      meter.update(replay);
      if (isOver(replay) || replay.state === "paused") {
        return replay;
      }
      await delay(pollMs, undefined, { signal: shell.signal });
      replay = await get(client, replay.id);
    }
  } catch (thrown) {
    if (!shell.signal.aborted) {
      throw thrown;
    }
    throw new CliError(exitCodes.interrupted, resumeHint(replay));
  } finally {
    meter.end();
  }
}

function createBar(shell: Shell): ProgressMeter {
  const bar = new cliProgress.SingleBar({
    format:
      "{bar} {percentage} %  {delivered} delivered, {dead} dead, {waiting} waiting  {speed}/s",
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: false,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: shell.hasColours ? 30 : 20,
  });
  bar.start(1_000, 0, { delivered: 0, dead: 0, waiting: 0, speed: 0 });
  return {
    update: ({ progress, delivered, dead, waiting, deliveries_per_second: speed }) =>
      bar.update(Math.floor(progress * 1_000), { delivered, dead, waiting, speed }),
    end: () => bar.stop(),
  };
}

const progressEveryMs = 10_000;

/** Progress for logs: one line at intervals. */
function createLines(shell: Shell): ProgressMeter {
  let nextMs = performance.now();
  return {
    update: (replay) => {
      if (performance.now() >= nextMs) {
        nextMs = performance.now() + progressEveryMs;
        const { progress, delivered, dead, waiting } = replay;
        const share = (progress * 100).toFixed(1);
        printStatus(shell, `${share} %: ${delivered} delivered, ${dead} dead, ${waiting} waiting`);
      }
    },
    end: () => undefined,
  };
}

function isOver({ state, waiting }: ReplayView): boolean {
  return ["done", "cancelled", "failed"].includes(state) && waiting === 0;
}

async function get(client: ApiClient, id: number): Promise<ReplayView> {
  return client.call<ReplayView>("GET", `/webhooks/replays/${id}`, { fields: replayFields });
}

function resumeHint({ id, state }: ReplayView): string {
  return (
    `Replay ${id} ${state === "paused" ? "is paused" : "continues on the platform"}. ` +
    `To watch it: sightline replay show ${id} --wait. To cancel it: sightline replay cancel ${id}.`
  );
}

/** `action` is pause, resume or cancel. */
export async function changeReplay(
  shell: Shell,
  client: ApiClient,
  { id, action, isJson }: { id: number; action: string; isJson: boolean },
): Promise<ExitCode> {
  const path = `/webhooks/replays/${id}/${action}`;
  const replay = await client.call<ReplayView>("POST", path, { fields: replayFields });
  show(shell, replay, isJson);
  return exitCodes.ok;
}

function show(shell: Shell, replay: ReplayView, isJson: boolean): void {
  if (isJson) {
    printJson(shell, replay);
    return;
  }
  printFacts(shell, [
    ["replay", replay.id],
    ["webhook", replay.webhook],
    ["state", replay.state],
    ["total", replay.total ?? "counting"],
    ["created", replay.made],
    ["delivered", replay.delivered],
    ["dead", replay.dead],
    ["cancelled", replay.cancelled],
    ["waiting", replay.waiting],
    ["progress", `${(replay.progress * 100).toFixed(1)} %`],
    ["deliveries per second", replay.deliveries_per_second],
    ["estimated end", replay.estimated_end],
    ...(replay.error === null ? [] : [["error", replay.error] as const]),
  ]);
}

export async function listReplays(
  shell: Shell,
  client: ApiClient,
  { limit, isJson }: { limit: number; isJson: boolean },
): Promise<ExitCode> {
  const answer = await client.call<ReplayList>("GET", "/webhooks/replays", {
    query: { limit },
    fields: ["data"],
  });
  if (isJson) {
    printJson(shell, answer);
    return exitCodes.ok;
  }
  printTable(
    shell,
    ["replay", "webhook", "state", "total", "delivered", "dead", "waiting", "created"],
    answer.data.map((one) => [
      one.id,
      one.webhook,
      one.state,
      one.total,
      one.delivered,
      one.dead,
      one.waiting,
      one.created,
    ]),
  );
  return exitCodes.ok;
}
