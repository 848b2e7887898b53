import type { HeaderPreset } from "../../contracts/request-headers.ts";
import type { ApiClient, Credentials } from "../client.ts";
import {
  usageError,
  replaceControls,
  paint,
  printLine,
  printStatus,
  toJson,
  type Shell,
} from "../shell.ts";
import { follow, type StreamedEvent, withTemporaryWebhook } from "../event-stream.ts";
import { checkSecretForm } from "../signature.ts";
import { createForwarder, type Forwarded, type ForwardTarget } from "../forward.ts";

export type ListenOptions = {
  forward: string;
  filters: readonly string[];
  webhook?: number;
  secret?: string;
  isJson: boolean;
};

/** Forwards events to a program on this machine until Ctrl-C. */
export async function listen(
  shell: Shell,
  { client, credentials }: { client: ApiClient; credentials: Credentials },
  options: ListenOptions,
): Promise<void> {
  const { webhook, secret, filters } = options;
  parseForwardUrl(options.forward);
  if (secret !== undefined) {
    checkSecretForm(secret);
  }
  if (webhook !== undefined) {
    if (secret === undefined) {
      throw usageError("--webhook also needs --secret: the platform shows a secret only once.");
    }
    if (filters.length > 0) {
      throw usageError(
        "--filters cannot be combined with --webhook: an existing webhook has its own filters.",
      );
    }
    const { headerPresets: presets = [] } = await client.call<ListenedWebhook>(
      "GET",
      `/webhooks/${webhook}`,
      { fields: ["id"] },
    );
    await run(shell, client, options, { webhookId: webhook, secret, presets });
    return;
  }
  const wanted = { filters: filters.length === 0 ? ["*"] : filters, secret };
  await withTemporaryWebhook({ shell, credentials }, wanted, async (own, created) => {
    if (secret === undefined) {
      printStatus(
        shell,
        "The secret was generated for this run. To verify the signatures, set one with --secret.",
      );
    }
    await run(shell, own, options, { webhookId: created.id, secret: created.secret, presets: [] });
  });
}

type ListenedWebhook = { id: number; headerPresets?: HeaderPreset[] };

type ListenSource = { webhookId: number } & Omit<ForwardTarget, "url">;

async function run(
  shell: Shell,
  client: ApiClient,
  options: ListenOptions,
  { webhookId, ...signing }: ListenSource,
): Promise<void> {
  const url = parseForwardUrl(options.forward);
  const forwarder = createForwarder(shell, { url, ...signing });
  const onReady = (): void =>
    printStatus(
      shell,
      `Listening to webhook ${webhookId}, forwarding to ${url}. Press Ctrl-C to stop.`,
    );
  const onEvent = async (event: StreamedEvent): Promise<void> => {
    const { body } = event;
    const result = body === null ? undefined : await forwarder.forward({ ...event, body });
    printForwarded(shell, options, { event, result });
  };
  try {
    await follow(shell, client, { webhookId, onReady, onEvent });
  } finally {
    forwarder.close();
  }
}

function parseForwardUrl(input: string): string {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw usageError(`--forward must be an http or https address, not "${input}".`);
  }
  if (url.username !== "" || url.password !== "") {
    throw usageError("--forward must not contain a user name or password, as a webhook's URL.");
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
  const words = [
    timeOfDay(event.time),
    eventName(event),
    replaceControls(String(event.object_id ?? "")),
  ];
  const id = paint(shell, "dim", event.event_id ?? "");
  printLine(shell, `${words.join("  ")}  ${id}  → ${shownResult(shell, result)}`);
}

export function timeOfDay(time: string): string {
  return time.slice(11, 19);
}

/** `ticket.update`, with the type of a timeline entry. */
export function eventName({ object, event, event_type: type }: StreamedEvent): string {
  return replaceControls(`${object}.${event ?? "?"}${type === null ? "" : `:${type}`}`);
}

function shownResult(shell: Shell, result: Forwarded | undefined): string {
  if (result === undefined) {
    return paint(shell, "yellow", "content no longer stored, not sent");
  }
  const after = result.attempts > 1 ? ` on attempt ${result.attempts}` : "";
  if (result.kind === "failed") {
    return paint(shell, "red", `${replaceControls(result.reason)}${after}`);
  }
  const isValid = result.status >= 200 && result.status < 300;
  return paint(shell, isValid ? "green" : "red", `${result.status} in ${result.ms} ms${after}`);
}
