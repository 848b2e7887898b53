import type { Socket } from "node:net";
import { expect } from "chai";
import { createHttpSendClient } from "../../../src/pipeline/delivery/send.ts";
import { createAddressGuard, type AddressGuard } from "../../../src/platform/net/address-guard.ts";
import { aRequest, outcomeOf, startTcp, useSendClient } from "../../support/send-clients.ts";

/** A guard that resolves every name like this. */
function guardWith(resolve: AddressGuard["resolve"]): AddressGuard {
  const guard = createAddressGuard({ areLocalReceiversAllowed: false, allowList: [] });
  return { ...guard, resolve };
}

/** Each connection fails with this code, and with a message that reveals an address. */
function failWith(code: string): AddressGuard {
  return guardWith(async () => {
    throw Object.assign(new Error(`${code} 10.1.2.3`), { code });
  });
}

describe("the send client", () => {
  const { open } = useSendClient(createHttpSendClient);

  it("connects to nothing for a URL that is not allowed", async () => {
    let lookups = 0;
    const guard = guardWith(async () => {
      lookups += 1;
      return [];
    });
    const client = open({ guard });
    for (const url of ["http://receiver.test/", "https://127.0.0.1/", "nonsense"]) {
      const result = await client.send(aRequest(url));
      expect(result).to.deep.include({ kind: "failed", failure: "blocked_target", durationMs: 0 });
    }
    expect(lookups).to.equal(0);
  });

  it("rejects when this process is out of sockets: that is no result of the receiver", async () => {
    const sending = open({ guard: failWith("EMFILE") }).send(aRequest("https://receiver.test/"));
    const failure = await sending.catch((error: unknown) => error);
    expect(failure).to.have.property("code", "EMFILE");
  });

  it("ends at the deadline even if nothing happens", async () => {
    const guard = guardWith(() => new Promise(() => undefined));
    const client = open({ guard, timeoutMs: 50 });
    const result = await client.send(aRequest("https://receiver.test/"));
    expect(result).to.deep.include({ kind: "failed", failure: "dns" });
    expect(result.phases).to.deep.equal({ total: result.durationMs });
  });

  it("never reveals an address", async () => {
    const client = open({ guard: failWith("ECONNREFUSED") });
    const result = await client.send(aRequest("https://receiver.test/"));
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
