import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sleep } from "../../src/platform/concurrency/async.ts";

export type Balancer = {
  readonly url: string;
  /** Requests that could not be forwarded, or whose response was truncated. */
  readonly failures: readonly string[];
  close(): Promise<void>;
};

/** Polls `/readyz`. Returns whether the last response was successful. */
function watch(target: string, everyMs: number, signal: AbortSignal): () => boolean {
  let isReady = false;
  const probe = async (): Promise<boolean> => {
    try {
      const answer = await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(10_000) });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  };
  void (async () => {
    while (!signal.aborted) {
      isReady = await probe();
      await sleep(everyMs, signal);
    }
  })();
  return () => isReady;
}

/**
 * A typical load balancer: round-robin over the targets whose last health check succeeded, with
 * keep-alive connections and without retries.
 */
async function startBalancer(targets: readonly string[], everyMs: number): Promise<Balancer> {
  const stop = new AbortController();
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const backends = targets.map((target) => ({
    target,
    isReady: watch(target, everyMs, stop.signal),
  }));
  let turn = 0;

  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    const ready = backends.filter(({ isReady }) => isReady());
    const backend = ready[(turn += 1) % ready.length];
    const fail = (reason: string): void => {
      failures.push(`${asked.method} ${asked.url}: ${reason}`);
      answer.destroy();
    };
    if (backend === undefined) {
      fail("nobody is ready");
      return;
    }
    const { method, url, headers } = asked;
    const passed = request(`${backend.target}${url}`, { method, headers, agent });
    passed.on("error", (error) => fail(`${backend.target}: ${error.message}`));
    passed.on("response", (response) => {
      response.on("error", (error) => fail(`${backend.target}: ${error.message}`));
      answer.writeHead(response.statusCode ?? 500, { "content-type": "application/json" });
      response.pipe(answer);
    });
    asked.pipe(passed);
  };

  const server = createServer(pass);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    close: async () => {
      stop.abort();
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Balancers for the tests of the surrounding `describe`, closed after each of them. */
export function useBalancers() {
  const started: Balancer[] = [];
  afterEach("close the balancers", async () => {
    await Promise.all(started.splice(0).map((one) => one.close()));
  });
  return {
    start: async (targets: readonly string[], everyMs: number): Promise<Balancer> => {
      const balancer = await startBalancer(targets, everyMs);
      started.push(balancer);
      return balancer;
    },
  };
}
