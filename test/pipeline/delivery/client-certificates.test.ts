import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { readFile } from "node:fs/promises";
import type { TLSSocket } from "node:tls";
import { expect } from "chai";
import type { ClientCertificate } from "../../../src/contracts/subscriptions.ts";
import { createClientIdentities } from "../../../src/pipeline/delivery/client-certificates.ts";
import {
  aClientCertificate,
  aRequest,
  answeredBy,
  dnsOf,
  outcomeOf,
  startHttps,
  testAuthority,
  testClientAuthority,
  useSendClient,
} from "../../support/send-clients.ts";
import { createHttpSendClient } from "../../../src/pipeline/delivery/send.ts";

async function serverFile(name: string): Promise<string> {
  return readFile(new URL(`../../fixtures/tls/${name}`, import.meta.url), "utf8");
}

/** The client certificate of each request. */
type Peer = { name: string; connection: number; isResumed: boolean };

/**
 * A receiver that requires a certificate of its CA, or, if `isOptional`, accepts any. With
 * `isClosing`, it accepts one request per connection.
 */
async function startMutual({ isOptional = false, isClosing = false } = {}) {
  const peers: Peer[] = [];
  const connections = new Map<unknown, number>();
  const server = createServer(
    {
      cert: await serverFile("valid.pem"),
      key: await serverFile("server.key"),
      ca: await testClientAuthority(),
      requestCert: true,
      rejectUnauthorized: !isOptional,
    },
    (request, response) => {
      const socket = request.socket as TLSSocket;
      const connection = connections.get(socket) ?? connections.size + 1;
      connections.set(socket, connection);
      const name = String(socket.getPeerCertificate().subject?.CN ?? "nobody");
      peers.push({ name, connection, isResumed: socket.isSessionReused() });
      const headers = isClosing ? { Connection: "close" } : {};
      request.resume().once("end", () => response.writeHead(200, headers).end("ok"));
    },
  );
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://receiver.test:${(server.address() as AddressInfo).port}/hook`,
    peers,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

describe("mutual TLS, against a real receiver", () => {
  const { open: openClient, closing } = useSendClient(createHttpSendClient);
  const names = { "receiver.test": ["127.0.0.1"], "evil.test": ["169.254.169.254"] };
  const open = () => openClient({ lookup: dnsOf(names) });
  let a: ClientCertificate;
  let b: ClientCertificate;
  before("read the certificates", async () => {
    a = await aClientCertificate("client-a");
    b = await aClientCertificate("client-b");
  });

  it("sends the subscription's certificate, and reuses its connection", async () => {
    const receiver = closing(await startMutual());
    const client = open();
    const request = aRequest(receiver.url, { certificate: a });
    expect(answeredBy(await client.send(request)).status).to.equal(200);
    expect(answeredBy(await client.send(request)).status).to.equal(200);
    expect(receiver.peers.map((peer) => [peer.name, peer.connection])).to.deep.equal([
      ["client-a", 1],
      ["client-a", 1],
    ]);
  });

  it("fails without a certificate, and with an unknown one", async () => {
    const receiver = closing(await startMutual());
    const stranger = await aClientCertificate("client-stranger");
    const client = openClient({ lookup: dnsOf(names), ca: await testAuthority() });
    for (const certificate of [undefined, stranger]) {
      const more = certificate === undefined ? {} : { certificate };
      const result = await client.send(aRequest(receiver.url, more));
      expect(outcomeOf(result)).to.be.oneOf(["tls", "reset"]);
    }
    expect(receiver.peers).to.deep.equal([]);
  });

  it("trusts the configured CA, and no other", async () => {
    const receiver = closing(await startMutual());
    const other = { ...a, ca: await testClientAuthority() };
    const result = await open().send(aRequest(receiver.url, { certificate: other }));
    expect(outcomeOf(result)).to.equal("tls");
    const system = await open().send(aRequest(receiver.url, { certificate: { ...a, ca: null } }));
    expect(outcomeOf(system)).to.equal("tls");
    expect(receiver.peers).to.deep.equal([]);
  });

  it("never shares a connection between different certificates", async () => {
    const receiver = closing(await startMutual({ isOptional: true }));
    const client = openClient({ lookup: dnsOf(names), ca: await testAuthority() });
    for (const certificate of [a, b, undefined, a, b, undefined]) {
      const more = certificate === undefined ? {} : { certificate };
      expect(outcomeOf(await client.send(aRequest(receiver.url, more)))).to.equal(200);
    }
    expect(receiver.peers.map((peer) => [peer.name, peer.connection])).to.deep.equal([
      ["client-a", 1],
      ["client-b", 2],
      ["nobody", 3],
      ["client-a", 1],
      ["client-b", 2],
      ["nobody", 3],
    ]);
  });

  it("never shares a TLS session between different certificates, though each resumes its own", async () => {
    const receiver = closing(await startMutual({ isOptional: true, isClosing: true }));
    const client = openClient({ lookup: dnsOf(names), ca: await testAuthority() });
    for (const certificate of [a, b, undefined, a, b, undefined]) {
      const more = certificate === undefined ? {} : { certificate };
      await client.send(aRequest(receiver.url, more));
    }
    // A resumed session has the certificate of its first connection.
    expect(receiver.peers.map((peer) => peer.name)).to.deep.equal([
      ...["client-a", "client-b", "nobody"],
      ...["client-a", "client-b", "nobody"],
    ]);
    const isResumed = receiver.peers.map((peer) => peer.isResumed);
    expect(isResumed).to.deep.equal([false, false, false, true, true, true]);
  });

  it("uses a changed certificate immediately", async () => {
    const receiver = closing(await startMutual());
    const client = open();
    await client.send(aRequest(receiver.url, { certificate: a }));
    await client.send(aRequest(receiver.url, { certificate: b }));
    expect(receiver.peers.map((peer) => peer.name)).to.deep.equal(["client-a", "client-b"]);
  });

  it("keeps its connection if the same certificate was read again", async () => {
    const receiver = closing(await startMutual());
    const client = open();
    await client.send(aRequest(receiver.url, { certificate: a }));
    await client.send(aRequest(receiver.url, { certificate: { ...a } }));
    expect(receiver.peers.map((peer) => peer.connection)).to.deep.equal([1, 1]);
  });

  it("is sent again, with its certificate, after a closed pooled connection", async () => {
    const server = closing(
      await startHttps("valid", {
        isClosedOnReuse: true,
        requestCert: true,
        rejectUnauthorized: true,
        ca: await testClientAuthority(),
      }),
    );
    const client = open();
    const request = aRequest(`https://receiver.test:${server.port}/`, { certificate: a });
    expect(outcomeOf(await client.send(request))).to.equal(200);
    expect(outcomeOf(await client.send(request))).to.equal(200);
    expect(server.served).to.equal(2);
  });

  it("is guarded like every request", async () => {
    const client = open();
    for (const host of ["evil.test", "169.254.169.254"]) {
      const result = await client.send(aRequest(`https://${host}/`, { certificate: a }));
      expect(outcomeOf(result)).to.equal("blocked_target");
    }
  });

  it("fails with a clear message for an invalid certificate", async () => {
    const certificate = { ...a, key: "no key" };
    const result = await open().send(aRequest("https://receiver.test/", { certificate }));
    expect(result).to.deep.include({
      failure: "tls",
      detail:
        "The TLS connection could not be established or is not trusted (the client certificate or its key cannot be used)",
    });
  });
});

describe("the identity of a client certificate", () => {
  it("is created once per object, with a fingerprint of the content", async () => {
    const identityOf = createClientIdentities(undefined);
    const a = await aClientCertificate("client-a");
    const b = await aClientCertificate("client-b");
    expect(identityOf(a)).to.equal(identityOf(a));
    expect(identityOf({ ...a })?.fingerprint).to.equal(identityOf(a)?.fingerprint);
    const names = [a, b, { ...a, ca: null }].map((one) => identityOf(one)?.fingerprint);
    expect(new Set(names).size).to.equal(3);
  });

  it("is undefined for a key that does not match", async () => {
    const a = await aClientCertificate("client-a");
    const b = await aClientCertificate("client-b");
    expect(createClientIdentities(undefined)({ ...a, key: b.key })).to.equal(undefined);
  });
});
