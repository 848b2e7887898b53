import { expect } from "chai";
import { createHttpSendClient } from "../../../src/pipeline/delivery/send.ts";
import type { SendClient } from "../../../src/pipeline/delivery/send-result.ts";
import { useReceiver } from "../../support/receiver.ts";
import {
  answeredBy,
  aRequest,
  dnsOf,
  outcomeOf,
  startHttps,
  startTcp,
  testAuthority,
  useSendClient,
  type Certificate,
  type LocalServer,
} from "../../support/send-clients.ts";
import { promised } from "../../support/promised.ts";

describe("a request sent", () => {
  const hook = useReceiver();
  const { open, closing } = useSendClient(createHttpSendClient);

  it("sends exactly our headers, our body and framing", async () => {
    const client = open();
    const headers = {
      "Content-Type": "application/JSON",
      "User-Agent": "Sightline Cloud",
      "webhook-id": "evt_1",
      "X-Own": "Value",
    };
    const body = Buffer.from('{"name":"Zoë 😀"}');
    await client.send(aRequest(`${hook.receiver.url}?a=%20b`, { headers, body }));
    const [request] = hook.receiver.requests;
    expect(request?.method).to.equal("POST");
    expect(request?.path).to.equal("/hook?a=%20b");
    expect(request?.body.equals(body)).to.equal(true);
    expect(request?.rawHeaders).to.deep.equal([
      ...["Host", `127.0.0.1:${hook.receiver.port}`],
      ...Object.entries(headers).flat(),
      ...["Content-Length", String(body.length)],
      ...["Connection", "keep-alive"],
    ]);
  });

  it("returns status, headers, body and times", async () => {
    hook.receiver.answerWith([
      { status: 500, headers: { "X-Why": "full", "Set-Cookie": "a=1" }, body: "Zoë" },
    ]);
    const result = answeredBy(await open().send(aRequest(hook.receiver.url)));
    expect(result.status).to.equal(500);
    expect(result.headers).to.include({ "x-why": "full", "set-cookie": "a=1" });
    expect(result.body).to.equal("Zoë");
    expect(result.durationMs).to.be.within(0, 5_000);
    expect(result.phases.total).to.equal(result.durationMs);
  });

  it("reuses connections, and opens one per concurrent request", async () => {
    const client = open();
    for (let i = 0; i < 3; i += 1) {
      await client.send(aRequest(hook.receiver.url));
    }
    expect(hook.receiver.connections).to.equal(1);
    hook.receiver.answerWith(["hang"]);
    const together = Array.from({ length: 20 }, async () =>
      client.send(aRequest(hook.receiver.url)),
    );
    await hook.receiver.sees(23);
    expect(hook.receiver.openRequests).to.equal(20);
    client.close();
    await Promise.all(together);
  });

  it("does not follow a redirect", async () => {
    const elsewhere = `http://127.0.0.1:${hook.receiver.port}/elsewhere`;
    for (const status of [301, 302, 303, 307, 308]) {
      hook.receiver.answerWith([{ status, headers: { location: elsewhere } }]);
      expect(outcomeOf(await open().send(aRequest(hook.receiver.url)))).to.equal(status);
    }
    expect(hook.receiver.requests.map(({ path }) => path)).to.deep.equal(Array(5).fill("/hook"));
  });

  it("to a closed port is refused", async () => {
    const server = await startTcp(() => undefined);
    await server.close();
    const result = await open().send(aRequest(`http://127.0.0.1:${server.port}/`));
    expect(outcomeOf(result)).to.equal("refused");
    expect(result.kind === "failed" && result.detail).to.not.contain("127.0.0.1");
  });

  it("to a name connects to the address from DNS", async () => {
    const client = open({ lookup: dnsOf({ "receiver.test": ["127.0.0.1"] }) });
    const url = `http://receiver.test:${hook.receiver.port}/hook`;
    expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
    expect(hook.receiver.requests[0]?.headers.host).to.equal(`receiver.test:${hook.receiver.port}`);
  });

  it("to a name tries its other address if one does not answer", async () => {
    const client = open({ lookup: dnsOf({ "receiver.test": ["127.0.0.9", "127.0.0.1"] }) });
    const url = `http://receiver.test:${hook.receiver.port}/hook`;
    expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
  });

  it("to a name that does not exist, or resolves slowly, fails as dns and delays no other", async () => {
    const client = open({
      timeoutMs: 1_000,
      lookup: dnsOf({
        "slow.test": async () => new Promise(() => undefined),
        "good.test": ["127.0.0.1"],
      }),
    });
    const slow = client.send(aRequest("http://slow.test:8080/"));
    const accepted = await client.send(aRequest(`http://good.test:${hook.receiver.port}/hook`));
    expect(outcomeOf(accepted)).to.equal(200);
    expect(accepted.durationMs).to.be.below(promised(500));
    expect(outcomeOf(await slow)).to.equal("dns");
    expect(outcomeOf(await client.send(aRequest("http://nowhere.test:8080/")))).to.equal("dns");
  });

  it("that its caller aborts ends as aborted", async () => {
    hook.receiver.answerWith(["hang"]);
    const client = open();
    const giveUp = new AbortController();
    const sending = client.send(aRequest(hook.receiver.url), giveUp.signal);
    await hook.receiver.sees(1);
    giveUp.abort();
    expect(outcomeOf(await sending)).to.equal("aborted");
    const late = await client.send(aRequest(hook.receiver.url), giveUp.signal);
    expect(outcomeOf(late)).to.equal("aborted");
    expect(hook.receiver.requests).to.have.length(1);
  });

  it("leaves no listener on the signal of its caller", async () => {
    const client = open();
    const { signal } = new AbortController();
    let added = 0;
    const count = (by: number): void => {
      added += by;
    };
    const counted = new Proxy(signal, {
      get: (target, key) => {
        if (key === "addEventListener" || key === "removeEventListener") {
          return () => count(key === "addEventListener" ? 1 : -1);
        }
        return Reflect.get(target, key, target) as unknown;
      },
    });
    await client.send(aRequest(hook.receiver.url), counted);
    expect(added).to.equal(0);
  });

  it("that is in flight when the client closes ends as aborted; no later one is sent", async () => {
    hook.receiver.answerWith(["hang"]);
    const client = open();
    const sending = client.send(aRequest(hook.receiver.url));
    await hook.receiver.sees(1);
    client.close();
    expect(outcomeOf(await sending)).to.equal("aborted");
    expect(outcomeOf(await client.send(aRequest(hook.receiver.url)))).to.equal("aborted");
    expect(hook.receiver.requests).to.have.length(1);
  });

  describe("over TLS", () => {
    const openTls = async (ca?: string): Promise<SendClient> =>
      open({
        ca: ca ?? (await testAuthority()),
        lookup: dnsOf({ "receiver.test": ["127.0.0.1"] }),
      });
    const urlOf = ({ port }: LocalServer): string => `https://receiver.test:${port}/hook`;

    it("succeeds with a valid certificate, and reuses the connection", async () => {
      const server = closing(await startHttps("valid"));
      const client = await openTls();
      const first = await client.send(aRequest(urlOf(server)));
      const second = await client.send(aRequest(urlOf(server)));
      expect([first, second].map(outcomeOf)).to.deep.equal([200, 200]);
      expect(server.served).to.equal(2);
    });

    const refused: readonly (readonly [Certificate, string])[] = [
      ["expired", "CERT_HAS_EXPIRED"],
      ["self-signed", "DEPTH_ZERO_SELF_SIGNED_CERT"],
      ["wrong-name", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ];
    for (const [certificate, code] of refused) {
      it(`fails before a byte of it is sent if the certificate is ${certificate}`, async () => {
        const server = closing(await startHttps(certificate));
        const result = await (await openTls()).send(aRequest(urlOf(server)));
        expect(outcomeOf(result)).to.equal("tls");
        expect(result.kind === "failed" && result.detail).to.contain(code);
        expect(server.served).to.equal(0);
      });
    }

    it("fails with an unknown CA", async () => {
      const server = closing(await startHttps("valid"));
      const client = open({ lookup: dnsOf({ "receiver.test": ["127.0.0.1"] }) });
      expect(outcomeOf(await client.send(aRequest(urlOf(server))))).to.equal("tls");
      expect(server.served).to.equal(0);
    });

    it("fails if the server supports TLS 1.1 at most", async () => {
      const server = closing(
        await startHttps("valid", {
          minVersion: "TLSv1",
          maxVersion: "TLSv1.1",
          ciphers: "DEFAULT@SECLEVEL=0",
        }),
      );
      const result = await (await openTls()).send(aRequest(urlOf(server)));
      expect(outcomeOf(result)).to.equal("tls");
    });

    it("fails if the server does not speak TLS", async () => {
      const client = await openTls();
      const url = `https://receiver.test:${hook.receiver.port}/`;
      expect(outcomeOf(await client.send(aRequest(url)))).to.equal("tls");
    });

    it("that meets an endless handshake times out as a connection", async () => {
      const server = closing(await startTcp(() => undefined));
      const client = open({
        connectTimeoutMs: 100,
        lookup: dnsOf({ "receiver.test": ["127.0.0.1"] }),
      });
      const result = await client.send(aRequest(urlOf(server)));
      expect(outcomeOf(result)).to.equal("timeout_connect");
      expect(result.durationMs).to.be.within(95, promised(1_000));
    });

    it("is sent again after a closed pooled connection", async () => {
      const server = closing(await startHttps("valid", { isClosedOnReuse: true }));
      const client = await openTls();
      expect(outcomeOf(await client.send(aRequest(urlOf(server))))).to.equal(200);
      expect(outcomeOf(await client.send(aRequest(urlOf(server))))).to.equal(200);
      expect(server.served).to.equal(2);
    });
  });
});

describe("a request with an invalid header", () => {
  const hook = useReceiver();
  const { open } = useSendClient(createHttpSendClient);

  it("fails, injects nothing, and affects no other", async () => {
    const client = open();
    const headers = { "X-Bad": "a\r\nX-Injected: b" };
    const result = await client.send(aRequest(hook.receiver.url, { headers }));
    expect(outcomeOf(result)).to.equal("other");
    expect(outcomeOf(await client.send(aRequest(hook.receiver.url)))).to.equal(200);
    expect(hook.receiver.requests).to.have.length(1);
  });
});

describe("the phases of a request", () => {
  const hook = useReceiver();
  const { open } = useSendClient(createHttpSendClient);

  it("name the connection's times for its first request only", async () => {
    const { port } = new URL(hook.receiver.url);
    const client = open({ lookup: dnsOf({ "receiver.example": ["127.0.0.1"] }) });
    const url = `http://receiver.example:${port}/`;
    const first = answeredBy(await client.send(aRequest(url)));
    const second = answeredBy(await client.send(aRequest(url)));
    expect(Object.keys(first.phases)).to.deep.equal(["dns", "connect", "firstByte", "total"]);
    expect(Object.keys(second.phases)).to.deep.equal(["firstByte", "total"]);
    const byAddress = answeredBy(await open().send(aRequest(hook.receiver.url)));
    expect(Object.keys(byAddress.phases)).to.deep.equal(["connect", "firstByte", "total"]);
  });
});
