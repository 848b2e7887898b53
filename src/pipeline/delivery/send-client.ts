/**
 * In: a signed request. Out: what came of it.
 * Guarantee: one request reaches the wire, to an allowed address, within the time-out. Exception:
 * a pooled connection that was closed before a byte came back is replaced once, same webhook-id.
 * On crash: the receiver may have got the request; the delivery's lease brings it again.
 */
import { setMaxListeners } from "node:events";
import type { AddressGuard } from "../../platform/net/address-guard.ts";
import { Exchange, type Ending, type Flight, type HttpClient } from "./exchange.ts";
import { detailOf, type Failure } from "./failures.ts";
import { createGuardedAgents, type AgentOptions, type Agents } from "./guarded-agents.ts";
import { createTargets, nativeOptions, type Target } from "./native-options.ts";
import type { SendClient, SendRequest, SendResult } from "./send-types.ts";

export type SendClientOptions = {
  guard: AddressGuard;
  /** For the whole exchange: DNS, connection, request, answer. */
  timeoutMs: number;
  connectTimeoutMs?: number;
} & Pick<AgentOptions, "maxSocketsPerOrigin" | "ca">;

type Job = {
  request: SendRequest;
  target: Target;
  startedAt: number;
  signal: AbortSignal | undefined;
  agents: Agents;
};

type Reject = (error: Error) => void;

const longestConnectMs = 5_000;

const notSent = (failure: Failure): SendResult => ({
  kind: "failed",
  failure,
  detail: detailOf(failure),
  durationMs: 0,
  phases: { total: 0 },
});

/** The exchanges that are under way, so that they can be ended together. */
const createExchanges = <F extends Flight>(client: HttpClient<F>, timeoutMs: number) => {
  const underWay = new Set<Exchange<F>>();

  const begin = (job: Job, onEnd: (ending: Ending) => void): void => {
    const { target, startedAt, request, signal } = job;
    const native = nativeOptions(target, request, job.agents);
    const exchange = new Exchange({
      client,
      flight: client.start(target, native, request.body),
      target,
      startedAt,
      timeoutMs: Math.max(1, timeoutMs - (performance.now() - startedAt)),
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
};

export const createSendClient = <F extends Flight>(
  options: SendClientOptions,
  client: HttpClient<F>,
): SendClient => {
  const { guard, timeoutMs } = options;
  const agents = createGuardedAgents({
    ...options,
    connectTimeoutMs: options.connectTimeoutMs ?? Math.min(longestConnectMs, timeoutMs),
  });
  const targetOf = createTargets();
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

  return {
    send: async (request, signal) => {
      const verdict = guard.checkUrl(request.url);
      if (!verdict.isAllowed) {
        return notSent("blocked_target");
      }
      if (isClosed || signal?.aborted === true) {
        return notSent("aborted");
      }
      const target = targetOf(verdict);
      const startedAt = performance.now();
      const job = { request, target, startedAt, signal, agents: agents.keepAlive };
      return new Promise((resolve, reject) => {
        run(job, resolve, reject);
      });
    },
    close: () => {
      isClosed = true;
      exchanges.abortAll();
      agents.close();
    },
  };
};
