/** In: a streamed event. Out: the very request that a delivery would be, to a developer's machine. */
import { setTimeout as delay } from "node:timers/promises";
import type { HeaderPreset } from "../contracts/subscriptions.ts";
import { buildRequest } from "../pipeline/delivery/request.ts";
import type { StreamedEvent } from "./follow.ts";
import type { Shell } from "./shell.ts";

/** What the program at the other end did. */
export type Forwarded =
  | { kind: "answered"; status: number; ms: number; attempts: number }
  | { kind: "failed"; reason: string; ms: number; attempts: number };

const timeoutMs = 15_000;

export type ForwardTarget = {
  url: string;
  secret: string;
  /** Forms of signatures beside the standard one. */
  presets: readonly HeaderPreset[];
};

/** Before the next try where the connection was refused: a program that is just being restarted. */
const pausesMs = [300, 1_000, 3_000];

/** Sends an event whose content is still kept. Never throws for what the other end does. */
export async function forward(
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
      messageId: event.webhook_id ?? "",
      sequence: event.sequence,
      attempt,
      body,
      isReplay: event.replay,
      secrets: [secret],
      headers: [],
      extras:
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

/** What fetch hides behind "fetch failed". */
function reasonOf(thrown: unknown): string {
  const { name, message, cause } = thrown as Error & {
    cause?: { code?: string; message?: string };
  };
  if (name === "TimeoutError") {
    return `no answer within ${timeoutMs / 1_000} s`;
  }
  return cause?.code ?? cause?.message ?? message;
}

function isRefused(reason: string): boolean {
  return reason === "ECONNREFUSED" || reason === "ECONNRESET";
}
