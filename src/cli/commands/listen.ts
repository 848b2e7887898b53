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
import { setTimeout as delay } from "node:timers/promises";
import { buildRequest } from "../../pipeline/delivery/request.ts";

export type ListenOptions = {
  forward: string;
  filters: readonly string[];
  webhook?: number;
  secret?: string;
  isJson: boolean;
};

/** The result of forwarding to the local program. */
export type Forwarded =
  | { kind: "answered"; status: number; ms: number; attempts: number }
  | { kind: "failed"; reason: string; ms: number; attempts: number };

const timeoutMs = 15_000;

export type ForwardTarget = {
  url: string;
  secret: string;
  /** Signature presets in addition to the standard signature. */
  presets: readonly HeaderPreset[];
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
    const { headerPresets: presets = [] } = (await client.call("GET", `/webhooks/${webhook}`)) as {
      headerPresets?: HeaderPreset[];
    };
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

type ListenSource = { webhookId: number } & Omit<ForwardTarget, "url">;

async function run(
  shell: Shell,
  client: ApiClient,
  options: ListenOptions,
  { webhookId, ...signing }: ListenSource,
): Promise<void> {
  const url = parseForwardUrl(options.forward);
  await follow(shell, client, {
    webhookId,
    onReady: () =>
      printStatus(
        shell,
        `Listening to webhook ${webhookId}, forwarding to ${url}. Press Ctrl-C to stop.`,
      ),
    onEvent: async (event) => {
      const { body } = event;
      const result =
        body === null ? undefined : await forward(shell, { url, ...signing }, { ...event, body });
      printForwarded(shell, options, { event, result });
    },
  });
}

function parseForwardUrl(input: string): string {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw usageError(`--forward must be an http or https address, not "${input}".`);
  }
  return url.href;
}

/** Pauses between attempts after a refused connection: the program may be restarting. */
const pausesMs = [300, 1_000, 3_000];

/**
 * Forwards an event whose content is still stored. Never throws for errors of the local program.
 */
async function forward(
  shell: Pick<Shell, "fetch" | "now" | "signal">,
  target: ForwardTarget,
  event: StreamedEvent & { body: string },
): Promise<Forwarded> {
  for (let attempts = 1; ; attempts += 1) {
    const startedMs = performance.now();
    const ms = (): number => Math.round(performance.now() - startedMs);
    try {
      const status = await sendOnce(shell, target, { event, body: event.body, attempt: attempts });
      return { kind: "answered", status, ms: ms(), attempts };
    } catch (thrown) {
      const reason = shell.signal.aborted ? "interrupted" : reasonOf(thrown);
      const pauseMs = pausesMs[attempts - 1];
      if (!isRefused(reason) || pauseMs === undefined) {
        return { kind: "failed", reason, ms: ms(), attempts };
      }
      await delay(pauseMs, undefined, { signal: shell.signal }).catch(() => undefined);
    }
  }
}

async function sendOnce(
  shell: Pick<Shell, "fetch" | "now" | "signal">,
  { url, secret, presets }: ForwardTarget,
  { event, body, attempt }: { event: StreamedEvent; body: string; attempt: number },
): Promise<number> {
  const { request } = buildRequest(
    {
      url,
      eventId: event.event_id ?? "",
      sequence: event.sequence,
      attempt,
      body,
      isReplay: event.replay,
      secrets: [secret],
      headers: [],
      authOptions:
        presets.length === 0
          ? null
          : { hasV1: true, keys: [], presets, oauth2: null, certificate: null },
    },
    shell.now(),
  );
  const response = await shell.fetch(request.url, {
    method: "POST",
    headers: request.headers,
    body: request.body as Uint8Array<ArrayBuffer>,
    redirect: "manual",
    signal: AbortSignal.any([shell.signal, AbortSignal.timeout(timeoutMs)]),
  });
  await response.arrayBuffer();
  return response.status;
}

/** The cause behind "fetch failed". */
function reasonOf(thrown: unknown): string {
  const { name, message, cause } = thrown as Error & {
    cause?: { code?: string; message?: string };
  };
  if (name === "TimeoutError") {
    return `no response within ${timeoutMs / 1_000} s`;
  }
  return cause?.code ?? cause?.message ?? message;
}

function isRefused(reason: string): boolean {
  return reason === "ECONNREFUSED" || reason === "ECONNRESET";
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
