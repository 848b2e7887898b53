import { setTimeout as delay } from "node:timers/promises";
import cliProgress from "cli-progress";
import type { Client, Json } from "../client.ts";
import { CliError, exitCodes, usageError, type ExitCode } from "../exit.ts";
import { printJson, printLine, tell, type Shell } from "../shell.ts";
import { printFacts, printTable } from "../table.ts";

export type ReplayOptions = {
  webhook: number;
  criteria: Json;
  rate?: number;
  isDryRun: boolean;
  isSure: boolean;
  isWaited: boolean;
  isJson: boolean;
};

/** A replay as the API shows it. */
type Replay = {
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

type Preview = {
  count: number;
  exact: boolean;
  skipped: number;
  oldest: string | null;
  newest: string | null;
};

type Meter = { update(replay: Replay): void; end(): void };

/** Counts, asks, starts and watches. */
export async function startReplay(
  shell: Shell,
  client: Client,
  options: ReplayOptions,
): Promise<ExitCode> {
  const { webhook, criteria, rate, isJson } = options;
  const path = `/webhooks/${webhook}/replay`;
  const preview = (await client.call("POST", `${path}/preview`, { body: criteria })) as Preview;
  if (options.isDryRun) {
    if (isJson) {
      printJson(shell, preview);
    } else {
      printLine(shell, `A replay would make ${describePreview(preview)}`);
    }
    return exitCodes.ok;
  }
  tell(shell, `A replay makes ${describePreview(preview)}`);
  if (preview.count === 0 && preview.exact) {
    tell(shell, "Nothing to do.");
    if (isJson) {
      printJson(shell, preview);
    }
    return exitCodes.ok;
  }
  if (!(await confirm(shell, options))) {
    tell(shell, "Nothing was done.");
    return exitCodes.ok;
  }
  const body = rate === undefined ? criteria : { ...criteria, rate };
  const started = (await client.call("POST", path, { body })) as Replay;
  tell(shell, `Replay ${started.id} is under way.`);
  if (!options.isWaited) {
    show(shell, started, isJson);
    return exitCodes.ok;
  }
  return finish(shell, await watch(shell, client, started), isJson);
}

function describePreview({ count, exact, oldest, newest, skipped }: Preview): string {
  const many = `${exact ? "" : "at least "}${count} deliver${count === 1 ? "y" : "ies"}`;
  const span = oldest === null ? "" : `, of events from ${oldest} to ${newest}`;
  const lost = skipped > 0 ? ` ${skipped} more have no content any more and are left out.` : "";
  return `${many}${span}.${lost}`;
}

/** A yes from `--yes`, or from the person at the terminal. */
async function confirm(shell: Shell, { isSure }: ReplayOptions): Promise<boolean> {
  if (isSure) {
    return true;
  }
  if (shell.ask === undefined) {
    throw usageError("Nobody can be asked here: add --yes to replay, or --dry-run to count only.");
  }
  return /^y(?:es)?$/iu.test((await shell.ask("Replay them? [y/N] ")).trim());
}

/** What a replay is like now. */
export async function showReplay(
  shell: Shell,
  client: Client,
  { id, isWaited, isJson }: { id: number; isWaited: boolean; isJson: boolean },
): Promise<ExitCode> {
  const replay = await get(client, id);
  if (isWaited) {
    return finish(shell, await watch(shell, client, replay), isJson);
  }
  show(shell, replay, isJson);
  return exitCodes.ok;
}

function finish(shell: Shell, replay: Replay, isJson: boolean): ExitCode {
  show(shell, replay, isJson);
  if (replay.state === "paused") {
    tell(shell, `It was paused. Go on: sightline replay resume ${replay.id}.`);
    return exitCodes.negative;
  }
  return codeOf(replay);
}

/** Whether all that was asked for arrived. */
function codeOf({ state, dead }: Replay): ExitCode {
  return state === "done" && dead === 0 ? exitCodes.ok : exitCodes.negative;
}

const lookMs = 1_000;

/** Watches until it is over. At Ctrl-C it says how to go on, and leaves the replay alone. */
async function watch(shell: Shell, client: Client, first: Replay): Promise<Replay> {
  const meter = shell.isTerminal ? createBar(shell) : createLines(shell);
  let replay = first;
  try {
    for (;;) {
      meter.update(replay);
      if (isOver(replay) || replay.state === "paused") {
        return replay;
      }
      await delay(lookMs, undefined, { signal: shell.signal });
      replay = await get(client, replay.id);
    }
  } catch (thrown) {
    if (!shell.signal.aborted) {
      throw thrown;
    }
    throw new CliError(exitCodes.interrupted, howToGoOn(replay));
  } finally {
    meter.end();
  }
}

function createBar(shell: Shell): Meter {
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

const sayEveryMs = 10_000;

/** For logs: a line now and then. */
function createLines(shell: Shell): Meter {
  let nextMs = performance.now();
  return {
    update: (replay) => {
      if (performance.now() >= nextMs) {
        nextMs = performance.now() + sayEveryMs;
        const { progress, delivered, dead, waiting } = replay;
        const share = (progress * 100).toFixed(1);
        tell(shell, `${share} %: ${delivered} delivered, ${dead} dead, ${waiting} waiting`);
      }
    },
    end: () => undefined,
  };
}

function isOver({ state, waiting }: Replay): boolean {
  return ["done", "cancelled", "failed"].includes(state) && waiting === 0;
}

async function get(client: Client, id: number): Promise<Replay> {
  return (await client.call("GET", `/webhooks/replays/${id}`)) as Replay;
}

function howToGoOn({ id, state }: Replay): string {
  return (
    `Replay ${id} ${state === "paused" ? "is paused" : "goes on"} without this program. ` +
    `Look: sightline replay show ${id}. Stop: sightline replay cancel ${id}.`
  );
}

/** `action` is pause, resume or cancel. */
export async function moveReplay(
  shell: Shell,
  client: Client,
  { id, action, isJson }: { id: number; action: string; isJson: boolean },
): Promise<ExitCode> {
  const replay = (await client.call("POST", `/webhooks/replays/${id}/${action}`)) as Replay;
  show(shell, replay, isJson);
  return exitCodes.ok;
}

function show(shell: Shell, replay: Replay, isJson: boolean): void {
  if (isJson) {
    printJson(shell, replay);
    return;
  }
  printFacts(shell, [
    ["replay", replay.id],
    ["webhook", replay.webhook],
    ["state", replay.state],
    ["in all", replay.total ?? "being counted"],
    ["made", replay.made],
    ["delivered", replay.delivered],
    ["dead", replay.dead],
    ["cancelled", replay.cancelled],
    ["waiting", replay.waiting],
    ["progress", `${(replay.progress * 100).toFixed(1)} %`],
    ["deliveries a second", replay.deliveries_per_second],
    ["estimated end", replay.estimated_end],
    ...(replay.error === null ? [] : [["error", replay.error] as const]),
  ]);
}

export async function listReplays(
  shell: Shell,
  client: Client,
  { limit, isJson }: { limit: number; isJson: boolean },
): Promise<ExitCode> {
  const answer = await client.call("GET", "/webhooks/replays", { query: { limit } });
  if (isJson) {
    printJson(shell, answer);
    return exitCodes.ok;
  }
  const replays = answer["data"] as (Replay & { created: string })[];
  printTable(
    shell,
    ["replay", "webhook", "state", "in all", "delivered", "dead", "waiting", "created"],
    replays.map((one) => [
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
