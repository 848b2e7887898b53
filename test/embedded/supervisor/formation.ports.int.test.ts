import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { type Instance, waitForPorts } from "../../../src/embedded/supervisor/formation.ts";

const host = "127.0.0.1";

describe("waitForPorts", () => {
  const servers: Server[] = [];
  afterEach("close the listeners", async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** A server whose `/readyz` responds with this status. */
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
  const wait = async (port: number, times: { stopWithinMs: number; noticeWithinMs: number }) => {
    const ready: string[] = [];
    const stop = new AbortController();
    const onWait = (): void => void ready.push("waits");
    const order = { instances: [web(port)], onWait, signal: stop.signal, ...times };
    const waiting = waitForPorts(order);
    return { output: ready, waiting, stop };
  };

  it("returns at once if the ports are free", async () => {
    const { server, port } = await listen("ok");
    server.close();
    await once(server, "close");
    const { output: report, waiting } = await wait(port, {
      stopWithinMs: 60_000,
      noticeWithinMs: 60_000,
    });
    expect(await waiting).to.deep.equal([]);
    expect(report).to.deep.equal([]);
  });

  it("waits for a stopping Sightline process, reports it once, and stops after its limit", async () => {
    const { server, port } = await listen("stopping");
    const { output, waiting } = await wait(port, { stopWithinMs: 60_000, noticeWithinMs: 0 });
    await once(server, "request");
    await once(server, "request");
    server.closeAllConnections();
    server.close();
    expect(await waiting).to.deep.equal([]);
    expect(output).to.deep.equal(["waits"]);
    const other = await listen("stopping");
    const hanging = await wait(other.port, { stopWithinMs: 1, noticeWithinMs: 0 });
    expect(await hanging.waiting).to.have.length(1);
  });

  it("reports a port that another program holds", async () => {
    const { port } = await listen("ok");
    const { waiting } = await wait(port, { stopWithinMs: 60_000, noticeWithinMs: 0 });
    expect(await waiting).to.deep.equal([{ label: "web.1", address: { host, port } }]);
  });

  it("ends at the stop signal", async () => {
    const { server, port } = await listen("stopping");
    const { waiting, stop } = await wait(port, { stopWithinMs: 60_000, noticeWithinMs: 0 });
    await once(server, "request");
    stop.abort();
    expect(await waiting).to.deep.equal([]);
  });
});
