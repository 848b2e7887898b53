/**
 * In: a signed request. Out: what came of it.
 * Guarantee: one request reaches the wire, to an allowed address, within the time-out. Exception:
 * a pooled connection that was closed before a byte came back is replaced once, same webhook-id.
 * On crash: the receiver may have got the request; the delivery's lease brings it again.
 */
import { setMaxListeners } from "node:events";
import type { AddressGuard } from "../../platform/net/address-guard.ts";
import { createAuthorizedSend } from "./authorized-send.ts";
import { createClientIdentities, type ClientIdentity } from "./client-identity.ts";
import { Exchange, type Ending, type Flight, type HttpClient } from "./exchange.ts";
import { detailOf, type Failure } from "./failures.ts";
import { createGuardedAgents, type AgentOptions, type Agents } from "./guarded-agents.ts";
import { certifiedOptions, createTargets, nativeOptions, type Target } from "./native-options.ts";
import type { Send, SendClient, SendRequest, SendResult } from "./send-types.ts";
import { createTokens } from "./tokens.ts";

export type SendClientOptions = {
  guard: AddressGuard;
  /** For the whole exchange: DNS, connection, request, answer. */
  timeoutMs: number;
  connectTimeoutMs?: number;
  /** By which the age of access tokens is measured, in milliseconds: for tests. */
  nowMs?: () => number;
} & Pick<AgentOptions, "maxSocketsPerOrigin" | "ca">;

type Job = {
  request: SendRequest;
  target: Target;
  startedAt: number;
  signal: AbortSignal | undefined;
  agents: Agents;
  /** Of a request with a client certificate. */
  identity: ClientIdentity | undefined;
};

type Reject = (error: Error) => void;

const longestConnectMs = 5_000;

export function createSendClient<F extends Flight>(
  options: SendClientOptions,
  client: HttpClient<F>,
): SendClient {
  const { guard, timeoutMs } = options;
  const agents = createGuardedAgents({
    ...options,
    connectTimeoutMs: options.connectTimeoutMs ?? Math.min(longestConnectMs, timeoutMs),
  });
  const targetOf = createTargets();
  const identityOf = createClientIdentities(options.ca);
  const exchanges = createExchanges(client, timeoutMs);
  let isClosed = false;

  const run = (job: Job, resolve: (result: SendResult) => void, reject: Reject): void => {
    exchanges.begin(job, (ending) => {
      switch (ending.kind) {
        case "result":
          return resolve(ending.result);
        case "broken":
          return reject(ending.error);
        case "stale":
          // Not from the pool again: where one connection was closed, all may have been. A new one
          // cannot be stale, so this happens once.
          return run({ ...job, agents: agents.fresh }, resolve, reject);
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
    // Without TLS, which development alone has, there is nobody to show a certificate to.
    const certificate = target.lane === "https" ? request.certificate : undefined;
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
    send: withTokens(post, options),
    close: () => {
      isClosed = true;
      exchanges.abortAll();
      agents.close();
    },
  };
}

/** The exchanges that are under way, so that they can be ended together. */
function createExchanges<F extends Flight>(client: HttpClient<F>, timeoutMs: number) {
  const underWay = new Set<Exchange<F>>();

  const begin = (job: Job, onEnd: (ending: Ending) => void): void => {
    const { target, startedAt, request, signal, agents, identity } = job;
    const plain = nativeOptions(target, request, agents);
    const native = identity === undefined ? plain : certifiedOptions(plain, agents, identity);
    const exchange = new Exchange({
      client,
      flight: client.start(target, native, request.body),
      target,
      startedAt,
      timeoutMs: Math.max(1, (request.timeoutMs ?? timeoutMs) - (performance.now() - startedAt)),
      keptBytes: request.keptBytes,
      onEnd: (ending) => {
        underWay.delete(exchange);
        signal?.removeEventListener("abort", exchange);
        onEnd(ending);
      },
    });
    underWay.add(exchange);
    if (signal !== undefined) {
      setMaxListeners(0, signal); // one signal for all that is in flight is no leak
      signal.addEventListener("abort", exchange);
    }
  };

  return {
    begin,
    abortAll: (): void => {
      for (const exchange of [...underWay]) {
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

/** What a token server may take of an attempt's time, so that some is left for the receiver. */
const tokenShare = 2 / 3;

/** Requests that need no token go straight on. */
function withTokens(post: Send, { timeoutMs, nowMs = monotonicMs }: SendClientOptions): Send {
  const tokens = createTokens({ post, timeoutMs: timeoutMs * tokenShare, nowMs });
  const authorized = createAuthorizedSend({ post, tokens, timeoutMs, nowMs });
  return (request, signal) =>
    request.oauth2 === undefined
      ? post(request, signal)
      : authorized(request, request.oauth2, signal);
}

function monotonicMs(): number {
  return performance.now();
}
