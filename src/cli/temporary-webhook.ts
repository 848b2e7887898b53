/** A webhook of the command line's own, for as long as it runs. */
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, type ApiClient, type Credentials } from "./client.ts";
import { CliError, printStatus, type Shell } from "./shell.ts";

const prefix = "sightline listen";

export type TemporaryWebhook = { id: number; secret: string };

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
  // Not with the signal of Ctrl-C: half a creation would leave a webhook that nobody knows of.
  const uninterrupted = createClient(shell, credentials, new AbortController().signal);
  const webhook = (await uninterrupted.call("POST", "/webhooks", { body })) as TemporaryWebhook;
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
      printStatus(shell, `Webhook ${webhook.id} could not be removed: the next run will do it.`);
    }
  }
}

/** Those that a `kill -9` or a power cut left behind on this machine. */
async function removeLeftovers(shell: Shell, client: ApiClient): Promise<void> {
  const { data } = (await client.call("GET", "/webhooks")) as {
    data?: { id: number; name: string }[];
  };
  for (const { id } of (data ?? []).filter((webhook) => isLeftover(webhook.name))) {
    await remove(client, id);
    printStatus(shell, `Removed webhook ${id}, which an earlier run left behind.`);
  }
}

/** The process on this machine that a webhook was made by and that is gone; undefined for others. */
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

/** Names the process, so that a later one sees whether it still runs. */
function nameOf(pid: number): string {
  return `${prefix} ${hostname().slice(0, 64)} ${pid}`;
}
