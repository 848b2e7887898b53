import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { expect } from "chai";
import type { HttpClient } from "../../../src/pipeline/delivery/outgoing-request.ts";
import { createHttpSendClient, createSendClient } from "../../../src/pipeline/delivery/send.ts";
import { createAddressGuard } from "../../../src/platform/net/address-guard.ts";
import { aRequest, outcomeOf, startTcp, useSendClient } from "../../support/send-clients.ts";

class FakeFlight extends EventEmitter {
  isDestroyed = false;
  destroy(): void {
    this.isDestroyed = true;
  }
}

function setUp() {
  const flights: FakeFlight[] = [];
  const fake: HttpClient<FakeFlight> = {
    start: () => {
      const flight = new FakeFlight();
      flights.push(flight);
      return flight;
    },
    progress: () => "waiting",
    phases: () => ({ firstByte: 3 }),
    isUnansweredReuse: () => false,
  };
  const guard = createAddressGuard({ areLocalReceiversAllowed: false, allowList: [] });
  const client = createSendClient({ guard, timeoutMs: 50 }, fake);
  return { flights, client };
}

function failWith(code: string): Error {
  return Object.assign(new Error(`${code} 10.1.2.3`), { code });
}

describe("the send client", () => {
  it("starts nothing for a URL that is not allowed", async () => {
    const { client, flights } = setUp();
    for (const url of ["http://receiver.test/", "https://127.0.0.1/", "nonsense"]) {
      const result = await client.send(aRequest(url));
      expect(result).to.deep.include({ kind: "failed", failure: "blocked_target", durationMs: 0 });
    }
    expect(flights).to.have.length(0);
  });

  it("rejects when this process is out of sockets: that is no result of the receiver", async () => {
    const { client, flights } = setUp();
    const sending = client.send(aRequest("https://receiver.test/"));
    flights[0]?.emit("error", failWith("EMFILE"));
    const failure = await sending.catch((error: unknown) => error);
    expect(failure).to.have.property("code", "EMFILE");
  });

  it("ends at the deadline even if the client emits no event", async () => {
    const { client, flights } = setUp();
    const result = await client.send(aRequest("https://receiver.test/"));
    expect(result).to.deep.include({ kind: "failed", failure: "timeout_response" });
    expect(result.phases).to.deep.equal({ firstByte: 3, total: result.durationMs });
    expect(flights[0]?.isDestroyed).to.equal(true);
  });

  it("keeps only the first result, and never reveals an address", async () => {
    const { client, flights } = setUp();
    const sending = client.send(aRequest("https://receiver.test/"));
    flights[0]?.emit("error", failWith("ECONNREFUSED"));
    flights[0]?.emit("error", failWith("ECONNRESET"));
    const result = await sending;
    expect(result).to.deep.include({ failure: "refused" });
    expect(JSON.stringify(result)).to.not.contain("10.1.2.3");
  });
});

describe("a request on a pooled connection that the receiver closed", () => {
  const { open, closing } = useSendClient(createHttpSendClient);

  /** Answers the first request of a connection, and passes the socket of later ones to `later`. */
  const keepAliveServer = async (later: (socket: Socket) => void) => {
    const seen: number[] = [];
    const server = closing(
      await startTcp((socket) => {
        let requests = 0;
        socket.on("data", () => {
          requests += 1;
          seen.push(requests);
          if (requests === 1) {
            socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
          } else {
            later(socket);
          }
        });
      }),
    );
    return { url: `http://127.0.0.1:${server.port}/`, seen };
  };

  it("is sent again, on a new connection", async () => {
    const { url, seen } = await keepAliveServer((socket) => socket.resetAndDestroy());
    const client = open();
    expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
    expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
    expect(seen).to.deep.equal([1, 2, 1]);
  });

  it("does not reuse other closed connections of the pool", async () => {
    const { url, seen } = await keepAliveServer((socket) => socket.end());
    const client = open();
    const together = [1, 2, 3].map(async () => client.send(aRequest(url)));
    expect((await Promise.all(together)).map(outcomeOf)).to.deep.equal([200, 200, 200]);
    expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
    expect(seen).to.deep.equal([1, 1, 1, 2, 1]);
  });

  it("is not sent again after an answer had begun", async () => {
    const { url, seen } = await keepAliveServer((socket) => socket.end("HTTP/1.1 2"));
    const client = open();
    await client.send(aRequest(url));
    expect(outcomeOf(await client.send(aRequest(url)))).to.equal("reset");
    expect(seen).to.deep.equal([1, 2]);
  });

  it("is not sent a third time", async () => {
    let connections = 0;
    const server = closing(
      await startTcp((socket) => {
        connections += 1;
        const isFirst = connections === 1;
        let requests = 0;
        socket.on("data", () => {
          requests += 1;
          if (isFirst && requests === 1) {
            socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
          } else {
            socket.resetAndDestroy();
          }
        });
      }),
    );
    const client = open();
    const url = `http://127.0.0.1:${server.port}/`;
    await client.send(aRequest(url));
    expect(outcomeOf(await client.send(aRequest(url)))).to.equal("reset");
    expect(connections).to.equal(2);
  });
});
