import net, { type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { plainHeaders } from "../../src/pipeline/delivery/read-answer.ts";
import {
  detailOf,
  failureOf,
  type Failure,
  type SendClient,
  type SendResult,
} from "../../src/pipeline/delivery/send-result.ts";
import type { SendClientOptions } from "../../src/pipeline/delivery/send.ts";
import { BlockedTargetError } from "../../src/platform/net/address-guard.ts";
import type { AddressClass } from "../../src/platform/net/address-rules.ts";
import { toError } from "../../src/platform/errors.ts";

type Guard = SendClientOptions["guard"];

function guardedLookup(guard: Guard, port: number, addressClass: AddressClass): LookupFunction {
  return (hostname, _options, callback) => {
    guard.resolve(hostname, port, addressClass).then(
      (found) => callback(null, [...found]),
      (error: unknown) => callback(toError(error), []),
    );
  };
}

/** undici fixes the lookup of a connector at creation, so there is one per port. */
function guardedConnector(guard: Guard, addressClass: AddressClass): buildConnector.connector {
  const connectors = new Map<number, buildConnector.connector>();
  return (options, callback) => {
    const port = Number(options.port || (options.protocol === "https:" ? 443 : 80));
    const host = options.hostname.replace(/^\[(.*)\]$/u, "$1");
    if (net.isIP(host) !== 0 && !guard.isAddressAllowed(host, port, addressClass)) {
      callback(new BlockedTargetError(), null);
      return;
    }
    let connector = connectors.get(port);
    if (connector === undefined) {
      connector = buildConnector({
        timeout: 5_000,
        lookup: guardedLookup(guard, port, addressClass),
        autoSelectFamily: true,
      });
      connectors.set(port, connector);
    }
    connector(options, callback);
  };
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function failed(error: Error, durationMs: number): SendResult {
  const code = codeOf(error);
  const isLate = error.name === "TimeoutError";
  const failure: Failure = failureOf(isLate ? "ETIMEDOUT" : code, "waiting");
  return {
    kind: "failed",
    failure,
    detail: detailOf(failure, code),
    durationMs,
    phases: { total: durationMs },
  };
}

/**
 * A `Send` on undici with the same guard, for the bench only: it does not resend after a stale
 * connection, measures no phases, and reads answers completely.
 */
export function createUndiciSend({ guard, timeoutMs }: SendClientOptions): SendClient {
  const agents: Readonly<Record<AddressClass, Agent>> = {
    https: new Agent({ connect: guardedConnector(guard, "https"), pipelining: 1 }),
    http: new Agent({ connect: guardedConnector(guard, "http"), pipelining: 1 }),
    inbox: new Agent({ connect: guardedConnector(guard, "inbox"), pipelining: 1 }),
  };
  return {
    send: async ({ url, headers, body }) => {
      const startedAt = performance.now();
      const elapsedMs = (): number => Math.round(performance.now() - startedAt);
      const verdict = guard.checkUrl(url);
      if (!verdict.isAllowed) {
        return failed(new BlockedTargetError(), 0);
      }
      try {
        const { origin, pathname, search } = new URL(verdict.href);
        const answer = await agents[verdict.addressClass].request({
          origin,
          path: `${pathname}${search}`,
          method: "POST",
          headers,
          body,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        });
        const text = await answer.body.text();
        return {
          kind: "answered",
          status: answer.statusCode,
          headers: plainHeaders(answer.headers),
          body: text.slice(0, 4096),
          durationMs: elapsedMs(),
          phases: { total: elapsedMs() },
        };
      } catch (thrown) {
        return failed(toError(thrown), elapsedMs());
      }
    },
    close: () => {
      for (const agent of Object.values(agents)) {
        void agent.destroy();
      }
    },
  };
}
