import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { Instance } from "../../../src/embedded/supervisor/formation.ts";
import { waitForPorts } from "../../../src/embedded/supervisor/ports.ts";

const host = "127.0.0.1";

describe("waitForPorts", () => {
  const servers: Server[] = [];
  afterEach("close what listens", async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Answers like a process whose `/readyz` says this. */
  const listen = async (status: string): Promise<{ server: Server; port: number }> => {
    const server = createServer((_request, response) => response.end(JSON.stringify({ status })));
    servers.push(server);
    server.listen(0, host);
    await once(server, "listening");
    return { server, port: (server.address() as AddressInfo).port };
  };
  const web = (port: number): Instance => ({
    ...{ label: "web.1", type: "web", command: "", env: {} },
    listens: [{ host, port }],
  });
  const wait = async (port: number, times: { stopWithinMs: number; hearWithinMs: number }) => {
    const told: string[] = [];
    const stop = new AbortController();
    const onWait = (): void => void told.push("waits");
    const order = { instances: [web(port)], onWait, signal: stop.signal, ...times };
    const waiting = waitForPorts(order);
    return { told, waiting, stop };
  };

  it("has nothing to wait for where the ports are free", async () => {
    const { server, port } = await listen("ok");
    server.close();
    await once(server, "close");
    const { told, waiting } = await wait(port, { stopWithinMs: 60_000, hearWithinMs: 60_000 });
    expect(await waiting).to.deep.equal([]);
    expect(told).to.deep.equal([]);
  });

  it("waits for a process of ours that stops, says so once, and no longer than it may take", async () => {
    const { server, port } = await listen("stopping");
    const { told, waiting } = await wait(port, { stopWithinMs: 60_000, hearWithinMs: 0 });
    await once(server, "request");
    await once(server, "request");
    server.closeAllConnections();
    server.close();
    expect(await waiting).to.deep.equal([]);
    expect(told).to.deep.equal(["waits"]);
    const other = await listen("stopping");
    const hanging = await wait(other.port, { stopWithinMs: 1, hearWithinMs: 0 });
    expect(await hanging.waiting).to.have.length(1);
  });

  it("names a port that somebody else holds", async () => {
    const { port } = await listen("ok");
    const { waiting } = await wait(port, { stopWithinMs: 60_000, hearWithinMs: 0 });
    expect(await waiting).to.deep.equal([{ label: "web.1", address: { host, port } }]);
  });

  it("ends when everything is stopped", async () => {
    const { server, port } = await listen("stopping");
    const { waiting, stop } = await wait(port, { stopWithinMs: 60_000, hearWithinMs: 0 });
    await once(server, "request");
    stop.abort();
    expect(await waiting).to.deep.equal([]);
  });
});
