import type { HeaderPreset } from "../../contracts/subscriptions.ts";
import type { Client } from "../client.ts";
import type { Credentials } from "../credentials.ts";
import { usageError } from "../exit.ts";
import { follow, type StreamedEvent } from "../follow.ts";
import { forward, type Forwarded, type ForwardTarget } from "../forward.ts";
import { withOwnWebhook } from "../own-webhook.ts";
import { clean, paint, printLine, tell, toJson, type Shell } from "../shell.ts";
import { checkSecretForm } from "../signature.ts";

export type ListenOptions = {
  forward: string;
  filters: readonly string[];
  webhook?: number;
  secret?: string;
  isJson: boolean;
};

/** Sends what happens to a program on this machine, until Ctrl-C. */
export async function listen(
  shell: Shell,
  { client, credentials }: { client: Client; credentials: Credentials },
  options: ListenOptions,
): Promise<void> {
  const { webhook, secret, filters } = options;
  checkTarget(options.forward);
  if (secret !== undefined) {
    checkSecretForm(secret);
  }
  if (webhook !== undefined) {
    if (secret === undefined) {
      throw usageError("--webhook needs --secret too: the platform never shows a secret again.");
    }
    if (filters.length > 0) {
      throw usageError(
        "--filters are those of a webhook of its own: leave them out, or --webhook.",
      );
    }
    const { headerPresets: presets = [] } = (await client.call("GET", `/webhooks/${webhook}`)) as {
      headerPresets?: HeaderPreset[];
    };
    await run(shell, client, options, { webhookId: webhook, secret, presets });
    return;
  }
  const wanted = { filters: filters.length === 0 ? ["*"] : filters, secret };
  await withOwnWebhook({ shell, credentials }, wanted, async (own, made) => {
    if (secret === undefined) {
      tell(shell, "Signed with a secret made for this run. To verify, choose one: --secret.");
    }
    await run(shell, own, options, { webhookId: made.id, secret: made.secret, presets: [] });
  });
}

type Source = { webhookId: number } & Omit<ForwardTarget, "url">;

async function run(
  shell: Shell,
  client: Client,
  options: ListenOptions,
  { webhookId, ...signing }: Source,
): Promise<void> {
  const url = checkTarget(options.forward);
  await follow(shell, client, {
    webhookId,
    onReady: () =>
      tell(shell, `Listening to webhook ${webhookId}, sending to ${url}. Ctrl-C ends it.`),
    onEvent: async (event) => {
      const { body } = event;
      const result =
        body === null ? undefined : await forward(shell, { url, ...signing }, { ...event, body });
      printForwarded(shell, options, { event, result });
    },
  });
}

function checkTarget(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw usageError(`--forward must be an http or https address, not "${given}".`);
  }
  return url.href;
}

function printForwarded(
  shell: Shell,
  { isJson }: ListenOptions,
  { event, result }: { event: StreamedEvent; result: Forwarded | undefined },
): void {
  if (isJson) {
    const { body: _body, cursor: _cursor, ...shown } = event;
    printLine(shell, toJson({ ...shown, result: result ?? null }));
    return;
  }
  const words = [clockOf(event.time), nameOf(event), clean(String(event.object_id ?? ""))];
  const id = paint(shell, "dim", event.webhook_id ?? "");
  printLine(shell, `${words.join("  ")}  ${id}  → ${shownResult(shell, result)}`);
}

export function clockOf(time: string): string {
  return time.slice(11, 19);
}

/** `ticket.update`, and what kind of entry it is where it is one of a timeline. */
export function nameOf({ object, event, event_type: type }: StreamedEvent): string {
  return clean(`${object}.${event ?? "?"}${type === null ? "" : `:${type}`}`);
}

function shownResult(shell: Shell, result: Forwarded | undefined): string {
  if (result === undefined) {
    return paint(shell, "yellow", "content not kept, nothing sent");
  }
  const after = result.attempts > 1 ? ` at try ${result.attempts}` : "";
  if (result.kind === "failed") {
    return paint(shell, "red", `${clean(result.reason)}${after}`);
  }
  const isGood = result.status >= 200 && result.status < 300;
  return paint(shell, isGood ? "green" : "red", `${result.status} in ${result.ms} ms${after}`);
}
