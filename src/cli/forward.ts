/**
 * Sends events to a program on this machine with the platform's own HTTP code: the same headers,
 * the same time limits, and the same rules for what counts as a response.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { HeaderPreset } from "../contracts/request-headers.ts";
import { type Agents, createGuardedAgents } from "../pipeline/delivery/guarded-agents.ts";
import {
  nativeOptions,
  OutgoingRequest,
  type RequestEnd,
} from "../pipeline/delivery/outgoing-request.ts";
import { buildRequest } from "../pipeline/delivery/request.ts";
import { detailOf, type SendRequest, type SendResult } from "../pipeline/delivery/send-result.ts";
import { type AllowedUrl, partsOf } from "../platform/net/address-guard.ts";
import { createResolver } from "../platform/net/resolver.ts";
import type { StreamedEvent } from "./event-stream.ts";
import type { Shell } from "./shell.ts";

export type ForwardTarget = {
  /** An absolute http or https URL. */
  url: string;
  secret: string;
  /** Signature presets in addition to the standard signature. */
  presets: readonly HeaderPreset[];
  /** For everything: DNS, connection, request, answer. */
  timeoutMs?: number;
};

/** An event whose content is still stored. */
export type ForwardedEvent = Pick<StreamedEvent, "event_id" | "sequence" | "replay"> & {
  body: string;
};

/** The result of forwarding to the local program. */
export type Forwarded =
  | { kind: "answered"; status: number; ms: number; attempts: number }
  | { kind: "failed"; reason: string; ms: number; attempts: number };

export type Forwarder = {
  /** Never throws for errors of the local program. */
  forward(event: ForwardedEvent): Promise<Forwarded>;
  close(): void;
};

/** The defaults of the platform: docs/webhooks.md. */
const defaultTimeoutMs = 15_000;

const maxConnectMs = 5_000;

/** Pauses between attempts after a refused or closed connection: the program may be restarting. */
const pausesMs = [300, 1_000, 3_000];

export function createForwarder(
  { now, signal }: Pick<Shell, "now" | "signal">,
  { url, secret, presets, timeoutMs = defaultTimeoutMs }: ForwardTarget,
): Forwarder {
  const { resolve } = createResolver();
  const agents = createGuardedAgents({
    // Unlike the platform, the user may send to every address: this machine reaches them anyway.
    guard: { isAddressAllowed: () => true, resolve },
    connectTimeoutMs: Math.min(maxConnectMs, timeoutMs),
  });
  const options = { target: targetOf(url), agents: agents.keepAlive, timeoutMs, signal };
  const forward = async (event: ForwardedEvent): Promise<Forwarded> => {
    for (let attempt = 1; ; attempt += 1) {
      const startedMs = performance.now();
      const request = requestOf({ url, secret, presets }, { ...event, attempt }, now());
      const sent = await post(request, options);
      const result = { ms: Math.round(performance.now() - startedMs), attempts: attempt };
      if (sent.kind === "answered") {
        return { kind: "answered", status: sent.status, ...result };
      }
      const pauseMs = pausesMs[attempt - 1];
      const isRetried = sent.failure === "refused" || sent.failure === "reset";
      if (signal.aborted || !isRetried || pauseMs === undefined) {
        return { kind: "failed", reason: signal.aborted ? "interrupted" : sent.detail, ...result };
      }
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return { forward, close: agents.close };
}

function targetOf(href: string): AllowedUrl {
  const parts = partsOf(new URL(href));
  const addressClass = parts.protocol === "https:" ? "https" : "http";
  return { isAllowed: true, href, addressClass, ...parts };
}

function requestOf(
  { url, secret, presets }: ForwardTarget,
  event: ForwardedEvent & { attempt: number },
  now: Date,
): SendRequest {
  const { event_id: eventId, sequence, attempt, body, replay: isReplay } = event;
  const authOptions = { hasV1: true, keys: [], presets, oauth2: null, certificate: null };
  const { request } = buildRequest(
    {
      ...{ url, eventId: eventId ?? "", sequence, attempt, body, isReplay },
      secrets: [secret],
      headers: [],
      authOptions: presets.length === 0 ? null : authOptions,
    },
    now,
  );
  return request;
}

/** `detail` is the text that the delivery log of the platform shows. */
type Sent =
  | Pick<Extract<SendResult, { kind: "answered" }>, "kind" | "status">
  | Pick<Extract<SendResult, { kind: "failed" }>, "kind" | "failure" | "detail">;

type PostOptions = { target: AllowedUrl; agents: Agents; timeoutMs: number; signal: AbortSignal };

function post(
  request: SendRequest,
  { target, agents, timeoutMs, signal }: PostOptions,
): Promise<Sent> {
  return new Promise((resolve) => {
    const outgoing = new OutgoingRequest({
      target,
      native: nativeOptions(target, request, agents),
      body: request.body,
      startedAt: performance.now(),
      timeoutMs,
      keptBytes: undefined,
      onEnd: (ended) => {
        signal.removeEventListener("abort", outgoing);
        resolve(resultOf(ended));
      },
    });
    signal.addEventListener("abort", outgoing);
    if (signal.aborted) {
      outgoing.abort();
    }
  });
}

function resultOf(ended: RequestEnd): Sent {
  switch (ended.kind) {
    case "result":
      return ended.result;
    case "stale":
      return { kind: "failed", failure: "reset", detail: detailOf("reset") };
    case "broken": {
      const detail = `This machine cannot send the request: ${ended.error.message}`;
      return { kind: "failed", failure: "other", detail };
    }
  }
}
