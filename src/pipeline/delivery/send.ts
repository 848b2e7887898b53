/**
 * In: a signed request. Out: its result.
 * Guarantee: one request is sent, to an allowed address, within the time-out. Exception: if a
 * pooled connection was closed before it returned a byte, the request is sent again once, with the
 * same webhook-id.
 * On crash: the receiver may have got the request; the delivery is retried when its lease ends.
 */
import { setMaxListeners } from "node:events";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { AddressGuard, AllowedUrl } from "../../platform/net/address-guard.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { loadEndpoint } from "../ledger/endpoints.ts";
import {
  type ClientIdentity,
  createClientIdentities,
  withClientIdentity,
} from "./client-certificates.ts";
import { type AgentOptions, type Agents, createGuardedAgents } from "./guarded-agents.ts";
import { createAuthorizedSend } from "./oauth2-send.ts";
import { createAccessTokens } from "./oauth2-tokens.ts";
import { nativeOptions, OutgoingRequest, type RequestEnd } from "./outgoing-request.ts";
import { buildRequestFor } from "./request.ts";
import {
  detailOf,
  type Failure,
  type Send,
  type SendClient,
  type SendRequest,
  type SendResult,
} from "./send-result.ts";

export type SendClientOptions = {
  guard: AddressGuard;
  /** For everything: DNS, connection, request, answer. */
  timeoutMs: number;
  connectTimeoutMs?: number;
  /** A monotonic clock in milliseconds for the age of access tokens; for tests. */
  nowMs?: () => number;
} & Pick<AgentOptions, "maxSocketsPerOrigin" | "ca">;

type PendingRequest = {
  request: SendRequest;
  target: AllowedUrl;
  startedAt: number;
  signal: AbortSignal | undefined;
  agents: Agents;
  /** Only for requests with a client certificate. */
  identity: ClientIdentity | undefined;
};

type Reject = (error: Error) => void;

const maxConnectMs = 5_000;

/** The `Send` of the platform: Node's HTTP client with the guarded agents. */
export function createHttpSendClient(options: SendClientOptions): SendClient {
  const { guard, timeoutMs } = options;
  const agents = createGuardedAgents({
    ...options,
    connectTimeoutMs: options.connectTimeoutMs ?? Math.min(maxConnectMs, timeoutMs),
  });
  const identityOf = createClientIdentities(options.ca);
  const outgoingRequests = createOutgoingRequests(timeoutMs);
  let isClosed = false;

  const run = (
    pending: PendingRequest,
    resolve: (result: SendResult) => void,
    reject: Reject,
  ): void => {
    outgoingRequests.begin(pending, (ending) => {
      switch (ending.kind) {
        case "result":
          return resolve(ending.result);
        case "broken":
          return reject(ending.error);
        case "stale":
          // All pooled connections may be closed as well, so a new one is opened. It cannot be
          // stale: this happens only once.
          return run({ ...pending, agents: agents.fresh }, resolve, reject);
      }
    });
  };

  const post: Send = async (request, signal) => {
    const target = guard.checkUrl(request.url);
    if (!target.isAllowed) {
      return notSent("blocked_target");
    }
    if (isClosed || signal?.aborted === true) {
      return notSent("aborted");
    }
    // Plain http, which only development allows, has no client certificates.
    const certificate = target.addressClass === "https" ? request.certificate : undefined;
    const identity = certificate === undefined ? undefined : identityOf(certificate);
    if (certificate !== undefined && identity === undefined) {
      return notSent("tls", "the client certificate or its key cannot be used");
    }
    const startedAt = performance.now();
    const job = { request, target, startedAt, signal, agents: agents.keepAlive, identity };
    return new Promise((resolve, reject) => {
      try {
        run(job, resolve, reject);
      } catch (thrown) {
        // Node refuses a header with invalid characters before it connects.
        resolve(notSent("other", (thrown as NodeJS.ErrnoException).code));
      }
    });
  };

  return {
    send: withOAuth2(post, options),
    close: () => {
      isClosed = true;
      outgoingRequests.abortAll();
      agents.close();
    },
  };
}

/** Tracks the requests in flight, so that they can be aborted together. */
function createOutgoingRequests(timeoutMs: number) {
  const inFlight = new Set<OutgoingRequest>();

  const begin = (pending: PendingRequest, onEnd: (ending: RequestEnd) => void): void => {
    const { target, startedAt, request, signal, agents, identity } = pending;
    const plain = nativeOptions(target, request, agents);
    const native = identity === undefined ? plain : withClientIdentity(plain, agents, identity);
    const outgoing = new OutgoingRequest({
      target,
      native,
      body: request.body,
      startedAt,
      timeoutMs: Math.max(1, (request.timeoutMs ?? timeoutMs) - (performance.now() - startedAt)),
      keptBytes: request.keptBytes,
      onEnd: (ending) => {
        inFlight.delete(outgoing);
        signal?.removeEventListener("abort", outgoing);
        onEnd(ending);
      },
    });
    inFlight.add(outgoing);
    if (signal !== undefined) {
      setMaxListeners(0, signal); // many listeners on one signal are no leak here
      signal.addEventListener("abort", outgoing);
    }
  };

  return {
    begin,
    abortAll: (): void => {
      for (const outgoing of [...inFlight]) {
        outgoing.abort();
      }
    },
  };
}

function notSent(failure: Failure, code?: string): SendResult {
  return {
    kind: "failed",
    failure,
    detail: detailOf(failure, code),
    durationMs: 0,
    phases: { total: 0 },
  };
}

/** The share of the time-out for the token request; the rest is for the receiver. */
const tokenShare = 2 / 3;

/** Only requests with OAuth2 credentials get a token. */
function withOAuth2(post: Send, { timeoutMs, nowMs = monotonicMs }: SendClientOptions): Send {
  const tokens = createAccessTokens({ post, timeoutMs: timeoutMs * tokenShare, nowMs });
  const authorized = createAuthorizedSend({ post, tokens, timeoutMs, nowMs });
  return (request, signal) =>
    request.oauth2 === undefined
      ? post(request, signal)
      : authorized(request, request.oauth2, signal);
}

function monotonicMs(): number {
  return performance.now();
}

/**
 * In: a test event. Out: the request and its result.
 * Guarantee: signed, guarded and limited like every delivery; sent once, even if the subscription
 * is off; not stored.
 * On crash: the receiver may have got the request, which is marked as a test.
 */
export type TestSenderDeps = {
  db: Db;
  box: Pick<SecretBox, "open">;
  clock: Clock;
} & Pick<SendClientOptions, "guard" | "timeoutMs" | "ca">;

/** `eventId` is unique to the test, so that it does not collide in the receiver's deduplication. */
export type EventToSend = { subscriptionId: number; eventId: string; body: string };

export type TestSendResult =
  | { kind: "sent"; url: string; headers: Record<string, string>; result: SendResult }
  | { kind: "unusable"; reason: string };

/** Real sequences start at 1. */
const noSequence = 0;

export function createTestSender({ db, box, clock, ...options }: TestSenderDeps) {
  const client = createHttpSendClient(options);
  return {
    /** `headers` as the ledger stores them: the subscription's own values masked. */
    send: async ({ subscriptionId, eventId, body }: EventToSend): Promise<TestSendResult> => {
      // Not cached: the test then requests a new token and shows its errors.
      const found = await loadEndpoint(db, box, subscriptionId);
      if (found.kind === "unusable") {
        return found;
      }
      const event = { eventId, body, sequence: noSequence, attempt: 1, isTest: true };
      const { request, recordedHeaders } = buildRequestFor(found.endpoint, event, clock.now());
      const result = await client.send(request);
      return { kind: "sent", url: request.url, headers: recordedHeaders, result };
    },
    close: (): void => client.close(),
  };
}
