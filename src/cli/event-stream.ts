/**
 * The event stream of a webhook, across lost connections, and a temporary webhook to stream from.
 */
import { setTimeout as delay } from "node:timers/promises";
import { EventSourceParserStream, type EventSourceMessage } from "eventsource-parser/stream";
import { type ApiClient, createClient, type Credentials, foreignAnswer } from "./client.ts";
import { CliError, printStatus, type Shell } from "./shell.ts";
import { hostname } from "node:os";

/** An event as the API streams it. */
export type StreamedEvent = {
  sequence: number;
  cursor: string;
  event_id: string | null;
  object: string;
  event: string | null;
  event_type: string | null;
  object_id: number | string | null;
  time: string;
  /** The exact text. Null if the content is no longer stored. */
  body: string | null;
  expunged: boolean;
  replay: boolean;
  state: string;
  attempt_count: number;
};

type StreamPosition = { after: string | undefined };

export type FollowOptions = {
  webhookId: number;
  /** A cursor. Undefined: from now on. */
  after?: string | undefined;
  onReady?: () => void;
  /** Awaited before the next event. */
  onEvent: (event: StreamedEvent) => Promise<void> | void;
};

const prefix = "sightline listen";

const streamType = "text/event-stream";

export type TemporaryWebhook = { id: number; secret: string };

const firstPauseMs = 500;

const longestPauseMs = 10_000;

/** Follows a webhook until Ctrl-C. Throws if the platform rejects the request permanently. */
export async function follow(
  shell: Shell,
  client: ApiClient,
  options: FollowOptions,
): Promise<void> {
  const { signal } = shell;
  const position: StreamPosition = { after: options.after };
  const onMessage = createHandler(shell, options);
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      const source = { client, webhookId: options.webhookId, position, signal };
      await readOnce(source, (message) => {
        pauseMs = firstPauseMs; // the connection works, however it ends
        return onMessage(message);
      });
    } catch (thrown) {
      if (signal.aborted) {
        return;
      }
      if (isFinal(thrown)) {
        throw thrown;
      }
      const reason = thrown instanceof CliError ? thrown.message : "The connection was lost.";
      printStatus(shell, `${reason} Reconnecting in ${pauseMs / 1_000} s.`);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

function createHandler(shell: Shell, { onReady, onEvent }: FollowOptions) {
  return async ({ event, data }: EventSourceMessage): Promise<void> => {
    if (event === "webhook") {
      await onEvent(JSON.parse(data) as StreamedEvent);
    } else if (event === "skipped") {
      const { from, to } = JSON.parse(data) as { from: number; to: number };
      printStatus(shell, `Sequences ${from} to ${to} are no longer stored.`);
    } else if (event === "ready") {
      onReady?.();
    }
  };
}

type StreamSource = {
  client: ApiClient;
  webhookId: number;
  position: StreamPosition;
  signal: AbortSignal;
};

/** Reads one connection to its end or Ctrl-C. */
async function readOnce(
  { client, webhookId, position, signal }: StreamSource,
  onMessage: (message: EventSourceMessage) => Promise<void>,
): Promise<void> {
  const path = `/webhooks/${webhookId}/events/stream`;
  const response = await client.open(path, {
    ...(position.after === undefined ? {} : { query: { after: position.after } }),
    headers: { accept: streamType },
  });
  if (response.headers.get("content-type")?.startsWith(streamType) !== true) {
    await response.body?.cancel();
    throw foreignAnswer(`${client.baseUrl}/api${path}`, response.status);
  }
  // Passes the signal again: after a garbage collection fetch may lose its own reference to it, and
  // Ctrl-C would not end an idle stream.
  const messages = response.body
    ?.pipeThrough(new TextDecoderStream(), { signal })
    .pipeThrough(new EventSourceParserStream());
  for await (const message of messages ?? []) {
    await onMessage(message);
    updatePosition(message, position); // after handling: a lost connection repeats an event, but loses none
  }
}

function updatePosition(message: EventSourceMessage, position: StreamPosition): void {
  position.after = message.id ?? position.after;
}

/** Errors that a retry cannot fix. */
function isFinal(thrown: unknown): boolean {
  return (
    thrown instanceof CliError &&
    thrown.status !== undefined &&
    thrown.status < 500 &&
    thrown.status !== 429
  );
}

const cleanupTimeoutMs = 5_000;

/** Creates a pull webhook, runs the work, and deletes it even after Ctrl-C. */
export async function withTemporaryWebhook<T>(
  { shell, credentials }: { shell: Shell; credentials: Credentials },
  wanted: { filters: readonly string[]; secret?: string | undefined },
  work: (client: ApiClient, webhook: TemporaryWebhook) => Promise<T>,
): Promise<T> {
  const client = createClient(shell, credentials);
  await removeLeftovers(shell, client);
  const { filters, secret } = wanted;
  const body = {
    name: nameOf(process.pid),
    mode: "pull",
    active: true,
    filters,
    ...(secret === undefined ? {} : { secret }),
  };
  // Not with the signal of Ctrl-C: an aborted creation would leave a webhook behind.
  const uninterrupted = createClient(shell, credentials, new AbortController().signal);
  const webhook = await uninterrupted.call<TemporaryWebhook>("POST", "/webhooks", {
    body,
    fields: ["id", "secret"],
  });
  try {
    return await work(client, webhook);
  } finally {
    const late = delay(cleanupTimeoutMs, "late", { ref: false });
    const removed = await Promise.race([
      remove(uninterrupted, webhook.id).then(
        () => "removed",
        () => "failed",
      ),
      late,
    ]);
    if (removed !== "removed") {
      printStatus(
        shell,
        `Webhook ${webhook.id} could not be deleted. The next run will delete it.`,
      );
    }
  }
}

/** Removes webhooks that a killed process left on this machine. */
async function removeLeftovers(shell: Shell, client: ApiClient): Promise<void> {
  const { data } = await client.call<{ data: { id: number; name: string }[] }>("GET", "/webhooks", {
    fields: ["data"],
  });
  for (const { id } of data.filter((webhook) => isLeftover(webhook.name))) {
    await remove(client, id);
    printStatus(shell, `Deleted webhook ${id}, left by an earlier run.`);
  }
}

/** Whether the webhook was created by a process of this machine that no longer runs. */
function isLeftover(name: string): boolean {
  const own = `${prefix} ${hostname().slice(0, 64)} `;
  const pid = Number(name.startsWith(own) ? name.slice(own.length) : Number.NaN);
  return Number.isInteger(pid) && pid !== process.pid && !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function remove(client: ApiClient, id: number): Promise<void> {
  await client.call("DELETE", `/webhooks/${id}`).catch((thrown: unknown) => {
    if (!(thrown instanceof CliError) || thrown.status !== 404) {
      throw thrown;
    }
  });
}

/** Contains the process id, so that later runs can tell whether it still runs. */
function nameOf(pid: number): string {
  return `${prefix} ${hostname().slice(0, 64)} ${pid}`;
}
