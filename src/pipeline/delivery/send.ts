/**
 * In: a signed request. Out: its result.
 * Guarantee: one request is sent, to an allowed address, within the time-out. Exception: if a
 * pooled connection was closed before it returned a byte, the request is sent again once, with the
 * same webhook-id.
 * On crash: the receiver may have got the request; the delivery is retried when its lease ends.
 */
import { setMaxListeners } from "node:events";
import type { AddressGuard } from "../../platform/net/address-guard.ts";
import { createAuthorizedSend } from "./oauth2-send.ts";
import {
  createUrlParser,
  nativeOptions,
  type ParsedUrl,
  type NativeOptions,
  OutgoingRequest,
  type RequestEnd,
  type RequestStream,
  type HttpClient,
} from "./outgoing-request.ts";
import {
  createClientIdentities,
  type ClientIdentity,
  withClientIdentity,
} from "./client-certificate.ts";
import {
  detailOf,
  type Failure,
  type Send,
  type SendClient,
  type SendRequest,
  type SendResult,
  type ConnectionProgress,
  type Phases,
} from "./send-result.ts";
import {
  createGuardedAgents,
  type AgentOptions,
  type Agents,
  isUnansweredReuse,
} from "./guarded-agents.ts";
import { createAccessTokens } from "./oauth2-tokens.ts";
import http from "node:http";
import https from "node:https";
import { got, type Options, type Request } from "got";

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
  target: ParsedUrl;
  startedAt: number;
  signal: AbortSignal | undefined;
  agents: Agents;
  /** Only for requests with a client certificate. */
  identity: ClientIdentity | undefined;
};

/** Streams cost half as much as promises, and an answer can be cut without losing its status. */
const gotInstance = got.extend({
  method: "POST",
  retry: { limit: 0 },
  throwHttpErrors: false,
  followRedirect: false,
  decompress: false,
  http2: false,
  handlers: [
    (options, next) => {
      usePreparedOptions(options);
      return next(options);
    },
  ],
  request: (_url, options) => startNative(options as unknown as NativeOptions),
});

const gotClient: HttpClient<Request> = {
  start: (target, native, body) =>
    gotInstance(target.href, { isStream: true, body, context: { native } }),
  progress: progressOf,
  phases: phasesOf,
  isUnansweredReuse: ({ reusedSocket, socket }) =>
    reusedSocket === true && isUnansweredReuse(socket),
};

/** The `Send` of the platform: got with the guarded agents. */
export function createGotSendClient(options: SendClientOptions): SendClient {
  return createSendClient(options, gotClient);
}

type Reject = (error: Error) => void;

const maxConnectMs = 5_000;

export function createSendClient<F extends RequestStream>(
  options: SendClientOptions,
  client: HttpClient<F>,
): SendClient {
  const { guard, timeoutMs } = options;
  const agents = createGuardedAgents({
    ...options,
    connectTimeoutMs: options.connectTimeoutMs ?? Math.min(maxConnectMs, timeoutMs),
  });
  const targetOf = createUrlParser();
  const identityOf = createClientIdentities(options.ca);
  const outgoingRequests = createOutgoingRequests(client, timeoutMs);
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
    const verdict = guard.checkUrl(request.url);
    if (!verdict.isAllowed) {
      return notSent("blocked_target");
    }
    if (isClosed || signal?.aborted === true) {
      return notSent("aborted");
    }
    const target = targetOf(verdict);
    // Plain http, which only development allows, has no client certificates.
    const certificate = target.addressClass === "https" ? request.certificate : undefined;
    const identity = certificate === undefined ? undefined : identityOf(certificate);
    if (certificate !== undefined && identity === undefined) {
      return notSent("tls", "the client certificate or its key cannot be used");
    }
    const startedAt = performance.now();
    const job = { request, target, startedAt, signal, agents: agents.keepAlive, identity };
    return new Promise((resolve, reject) => {
      run(job, resolve, reject);
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
function createOutgoingRequests<F extends RequestStream>(client: HttpClient<F>, timeoutMs: number) {
  const inFlight = new Set<OutgoingRequest<F>>();

  const begin = (pending: PendingRequest, onEnd: (ending: RequestEnd) => void): void => {
    const { target, startedAt, request, signal, agents, identity } = pending;
    const plain = nativeOptions(target, request, agents);
    const native = identity === undefined ? plain : withClientIdentity(plain, agents, identity);
    const outgoing = new OutgoingRequest({
      client,
      stream: client.start(target, native, request.body),
      target,
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
      for (const exchange of [...inFlight]) {
        exchange.abort();
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

function startNative(native: NativeOptions): http.ClientRequest {
  return native.protocol === "https:" ? https.request(native) : http.request(native);
}

/**
 * Two thirds of the cost of a request: got creates an object of forty native options, nearly all
 * undefined, and Node copies it three times. The prepared options replace it.
 */
function usePreparedOptions(options: Options): void {
  const { native } = options.context;
  Object.assign(options, { createNativeRequestOptions: () => native });
}

/** got repeats the connection times of a pooled socket for each request, so they are left out. */
function phasesOf(stream: Request, { isNamed }: ParsedUrl): Omit<Phases, "total"> {
  const phases = stream.timings?.phases;
  const isNew = stream.reusedSocket !== true;
  return {
    ...(isNew && isNamed ? phase("dns", phases?.dns) : {}),
    ...(isNew ? phase("connect", phases?.tcp) : {}),
    ...(isNew ? phase("tls", phases?.tls) : {}),
    ...phase("firstByte", phases?.firstByte),
  };
}

function phase(name: keyof Phases, value: number | undefined): Partial<Phases> {
  return value !== undefined && value >= 0 ? { [name]: value } : {};
}

function progressOf(stream: Request, { isNamed, protocol }: ParsedUrl): ConnectionProgress {
  const timings = stream.timings;
  if (timings?.connect === undefined) {
    const isAsking = timings?.socket !== undefined && timings.lookup === undefined;
    return isNamed && isAsking ? "resolving" : "connecting";
  }
  return protocol === "https:" && timings.secureConnect === undefined ? "connecting" : "waiting";
}
