import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { createHttpSend } from "../../../bench/clients/http-send.ts";
import { createGotSend } from "../../../src/pipeline/delivery/got-send.ts";
import type { SendClientOptions } from "../../../src/pipeline/delivery/send-client.ts";
import type { SendClient, SendResult } from "../../../src/pipeline/delivery/send-types.ts";
import { createAddressGuard } from "../../../src/platform/net/address-guard.ts";
import { createResolver, type LookupAll } from "../../../src/platform/net/resolver.ts";
import { eventually } from "../../support/eventually.ts";
import { useReceiver, type Reply } from "../../support/receiver.ts";
import {
  aRequest,
  dnsOf,
  startHttps,
  startTcp,
  testAuthority,
  type Certificate,
  type LocalServer,
} from "../../support/send-clients.ts";

type Create = (options: SendClientOptions) => SendClient;

const raw = (text: string): Reply => ({ raw: (socket) => socket.write(text) });
const rawEnd = (text: string): Reply => ({ raw: (socket) => socket.end(text) });

const outcomeOf = (result: SendResult): string | number =>
  result.kind === "answered" ? result.status : result.failure;

const answeredBy = (result: SendResult) => {
  if (result.kind === "failed") {
    throw new Error(`Not answered: ${result.failure}, ${result.detail}`);
  }
  return result;
};

/** Closes clients and servers of a test when it ends. */
const useClosing = () => {
  const closers: (() => unknown)[] = [];
  afterEach("close clients and servers", async () => {
    for (const close of closers.splice(0)) {
      await close();
    }
  });
  return <T extends { close(): unknown }>(opened: T): T => {
    closers.push(() => opened.close());
    return opened;
  };
};

const describeSend = (name: string, create: Create): void => {
  describe(`a request sent by ${name}`, () => {
    const hook = useReceiver();
    const closing = useClosing();

    const open = (
      options: Partial<SendClientOptions> & { lookup?: LookupAll } = {},
    ): SendClient => {
      const { lookup = dnsOf({}), ...others } = options;
      return closing(
        create({
          guard: createAddressGuard({
            areLocalReceiversAllowed: true,
            allowList: [],
            resolver: createResolver({ lookup, timeoutMs: 200 }),
          }),
          timeoutMs: 5_000,
          ...others,
        }),
      );
    };

    it("has our headers on the wire as they are, our body, and nothing else but framing", async () => {
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

    it("brings back status, headers, body and times", async () => {
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

    it("uses a connection again, and as many as there are requests at once", async () => {
      const client = open();
      for (let i = 0; i < 3; i += 1) {
        await client.send(aRequest(hook.receiver.url));
      }
      expect(hook.receiver.connections).to.equal(1);
      hook.receiver.answerWith([{ delayMs: 50 }]);
      await Promise.all(
        Array.from({ length: 20 }, async () => client.send(aRequest(hook.receiver.url))),
      );
      expect(hook.receiver.requests).to.have.length(23);
      expect(hook.receiver.mostOpenRequests).to.equal(20);
    });

    it("does not follow a redirect", async () => {
      const elsewhere = `http://127.0.0.1:${hook.receiver.port}/elsewhere`;
      for (const status of [301, 302, 303, 307, 308]) {
        hook.receiver.answerWith([{ status, headers: { location: elsewhere } }]);
        expect(outcomeOf(await open().send(aRequest(hook.receiver.url)))).to.equal(status);
      }
      expect(hook.receiver.requests.map(({ path }) => path)).to.deep.equal(Array(5).fill("/hook"));
    });

    it("that gets no answer in time is a time-out, and its connection is closed", async () => {
      hook.receiver.answerWith(["hang"]);
      const result = await open({ timeoutMs: 100 }).send(aRequest(hook.receiver.url));
      expect(outcomeOf(result)).to.equal("timeout_response");
      expect(result.durationMs).to.be.within(95, 1_000);
      await eventually(() => expect(hook.receiver.openRequests).to.equal(0));
    });

    it("that is answered a byte at a time is cut at the total time", async () => {
      const timers: NodeJS.Timeout[] = [];
      const dribble = (socket: Socket, text: string): void => {
        let sent = 0;
        const timer = setInterval(() => {
          socket.write(text.charAt(sent % text.length));
          sent += 1;
        }, 10);
        timers.push(timer);
        socket.once("close", () => clearInterval(timer));
      };
      hook.receiver.answerWith([{ raw: (socket) => dribble(socket, "HTTP/1.1 200 OK\r\nX-A: b") }]);
      const client = open({ timeoutMs: 200 });
      const slowHead = await client.send(aRequest(hook.receiver.url));
      expect(outcomeOf(slowHead)).to.equal("timeout_response");
      expect(slowHead.durationMs).to.be.within(195, 1_500);

      hook.receiver.answerWith([
        {
          raw: (socket) => {
            socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
            dribble(socket, "x");
          },
        },
      ]);
      const slowBody = answeredBy(await client.send(aRequest(hook.receiver.url)));
      expect(slowBody.status).to.equal(200);
      expect(slowBody.body).to.match(/^x+$/u);
      expect(slowBody.durationMs).to.be.within(195, 1_500);
      timers.forEach((timer) => clearInterval(timer));
    });

    for (const status of [200, 500]) {
      it(`that gets ${status} and an endless body has its answer once enough was read`, async () => {
        let written = 0;
        let isClosed = false;
        const pour = (socket: Socket): void => {
          const chunk = Buffer.alloc(16 * 1024, "y");
          socket.once("close", () => {
            isClosed = true;
          });
          const more = (): void => {
            while (!socket.destroyed && written < 100e6 && socket.write(chunk)) {
              written += chunk.length;
            }
          };
          socket.on("drain", more);
          socket.write(`HTTP/1.1 ${status} X\r\nContent-Type: text/plain\r\n\r\n`);
          more();
        };
        hook.receiver.answerWith([{ raw: pour }]);
        const result = answeredBy(await open().send(aRequest(hook.receiver.url)));
        expect(result.status).to.equal(status);
        expect(result.body).to.equal("y".repeat(4096));
        await eventually(() => expect(isClosed).to.equal(true));
        expect(written).to.be.below(20e6);
      });
    }

    it("keeps its connection after a body that is long but within bounds", async () => {
      hook.receiver.answerWith([{ status: 400, body: "z".repeat(60 * 1024) }, 200]);
      const client = open();
      expect(answeredBy(await client.send(aRequest(hook.receiver.url))).body).to.have.length(4096);
      await client.send(aRequest(hook.receiver.url));
      expect(hook.receiver.connections).to.equal(1);
    });

    it("leaves a compressed body packed and does not show it", async () => {
      const bomb = gzipSync(Buffer.alloc(20e6));
      hook.receiver.answerWith([
        { status: 500, headers: { "content-encoding": "gzip" }, body: bomb },
      ]);
      const result = answeredBy(await open().send(aRequest(hook.receiver.url)));
      expect(result.body).to.equal("");
      expect(result.headers).to.include({ "content-encoding": "gzip" });
    });

    const oddAnswers: readonly (readonly [
      meaning: string,
      reply: Reply,
      outcome: string | number,
    ])[] = [
      ["text that is no HTTP", rawEnd("SSH-2.0-OpenSSH_9.2\r\n"), "protocol"],
      ["a broken status line", rawEnd("HTTP/1.1 2x0 OK\r\n\r\n"), "protocol"],
      [
        "broken chunks after 200",
        rawEnd("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        200,
      ],
      ["a head without end", rawEnd(`HTTP/1.1 200 OK\r\nX: ${"a".repeat(100_000)}`), "protocol"],
      ["a close without a byte", rawEnd(""), "reset"],
      ["a reset", "reset", "reset"],
      ["a close within the head", rawEnd("HTTP/1.1 200 OK\r\nX-A: b\r\n"), "reset"],
      [
        "a body that is cut off after 200",
        rawEnd("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"),
        200,
      ],
      [
        "a body that is cut off after 500",
        rawEnd("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nab"),
        500,
      ],
      ["204 with a body", raw("HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nab"), 204],
      ["304 with a body length", raw("HTTP/1.1 304 No\r\nContent-Length: 2\r\n\r\n"), 304],
      [
        "100 first",
        raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 OK\r\nContent-Length: 0\r\n\r\n"),
        201,
      ],
      [
        "103 first",
        raw("HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        200,
      ],
      [
        "101 unasked",
        raw("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: ws\r\n\r\n"),
        101,
      ],
      ["HTTP/1.0", rawEnd("HTTP/1.0 200 OK\r\n\r\nok"), 200],
      ["an unknown status", raw("HTTP/1.1 799 Odd\r\nContent-Length: 0\r\n\r\n"), 799],
    ];
    for (const [meaning, reply, outcome] of oddAnswers) {
      it(`survives ${meaning} (${outcome})`, async () => {
        hook.receiver.answerWith([reply]);
        const client = open({ timeoutMs: 1_000 });
        const result = await client.send(aRequest(hook.receiver.url));
        expect(outcomeOf(result)).to.equal(outcome);
        expect(result.durationMs).to.be.below(900);
      });
    }

    it("ends when only interim answers come", async () => {
      hook.receiver.answerWith([raw("HTTP/1.1 102 Processing\r\n\r\n")]);
      const result = await open({ timeoutMs: 100 }).send(aRequest(hook.receiver.url));
      expect(outcomeOf(result)).to.equal("timeout_response");
    });

    describe("on a pooled connection that the receiver closed", () => {
      /** Answers the first request of a connection; does the given thing with every later one. */
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

      it("goes out once more, on a new connection", async () => {
        const { url, seen } = await keepAliveServer((socket) => socket.resetAndDestroy());
        const client = open();
        expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
        expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
        expect(seen).to.deep.equal([1, 2, 1]);
      });

      it("is not led by the pool to other closed connections", async () => {
        const { url, seen } = await keepAliveServer((socket) => socket.end());
        const client = open();
        const together = [1, 2, 3].map(async () => client.send(aRequest(url)));
        expect((await Promise.all(together)).map(outcomeOf)).to.deep.equal([200, 200, 200]);
        expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
        expect(seen).to.deep.equal([1, 1, 1, 2, 1]);
      });

      it("does not go out again when an answer had begun", async () => {
        const { url, seen } = await keepAliveServer((socket) => socket.end("HTTP/1.1 2"));
        const client = open();
        await client.send(aRequest(url));
        expect(outcomeOf(await client.send(aRequest(url)))).to.equal("reset");
        expect(seen).to.deep.equal([1, 2]);
      });

      it("does not go out a third time", async () => {
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

    it("to a port where nobody listens is refused", async () => {
      const server = await startTcp(() => undefined);
      await server.close();
      const result = await open().send(aRequest(`http://127.0.0.1:${server.port}/`));
      expect(outcomeOf(result)).to.equal("refused");
      expect(result.kind === "failed" && result.detail).to.not.contain("127.0.0.1");
    });

    it("to a name goes to the address that DNS gave", async () => {
      const client = open({ lookup: dnsOf({ "receiver.test": ["127.0.0.1"] }) });
      const url = `http://receiver.test:${hook.receiver.port}/hook`;
      expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
      expect(hook.receiver.requests[0]?.headers.host).to.equal(
        `receiver.test:${hook.receiver.port}`,
      );
    });

    it("to a name tries its other address where one does not answer", async () => {
      const client = open({ lookup: dnsOf({ "receiver.test": ["127.0.0.9", "127.0.0.1"] }) });
      const url = `http://receiver.test:${hook.receiver.port}/hook`;
      expect(outcomeOf(await client.send(aRequest(url)))).to.equal(200);
    });

    it("to a name that does not exist, or too slowly, is a DNS failure and holds up nobody", async () => {
      const client = open({
        timeoutMs: 1_000,
        lookup: dnsOf({
          "slow.test": async () => new Promise(() => undefined),
          "good.test": ["127.0.0.1"],
        }),
      });
      const slow = client.send(aRequest("http://slow.test:8080/"));
      const good = await client.send(aRequest(`http://good.test:${hook.receiver.port}/hook`));
      expect(outcomeOf(good)).to.equal(200);
      expect(good.durationMs).to.be.below(150);
      expect(outcomeOf(await slow)).to.equal("dns");
      expect(outcomeOf(await client.send(aRequest("http://nowhere.test:8080/")))).to.equal("dns");
    });

    it("that is given up by its caller ends as aborted", async () => {
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

    it("leaves nothing on the signal of its caller", async () => {
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

    it("that is in flight when the client closes ends as aborted; none is sent after", async () => {
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

      it("arrives where the certificate is valid, and uses the connection again", async () => {
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
        it(`fails before a byte of it is sent where the certificate is ${certificate}`, async () => {
          const server = closing(await startHttps(certificate));
          const result = await (await openTls()).send(aRequest(urlOf(server)));
          expect(outcomeOf(result)).to.equal("tls");
          expect(result.kind === "failed" && result.detail).to.contain(code);
          expect(server.served).to.equal(0);
        });
      }

      it("fails where the authority is not one of the system's", async () => {
        const server = closing(await startHttps("valid"));
        const client = open({ lookup: dnsOf({ "receiver.test": ["127.0.0.1"] }) });
        expect(outcomeOf(await client.send(aRequest(urlOf(server))))).to.equal("tls");
        expect(server.served).to.equal(0);
      });

      it("fails where the server speaks TLS 1.1 at most", async () => {
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

      it("fails where the server does not speak TLS", async () => {
        const client = await openTls();
        const url = `https://receiver.test:${hook.receiver.port}/`;
        expect(outcomeOf(await client.send(aRequest(url)))).to.equal("tls");
      });

      it("that meets a handshake without end is a time-out of the connection", async () => {
        const server = closing(await startTcp(() => undefined));
        const client = open({
          connectTimeoutMs: 100,
          lookup: dnsOf({ "receiver.test": ["127.0.0.1"] }),
        });
        const result = await client.send(aRequest(urlOf(server)));
        expect(outcomeOf(result)).to.equal("timeout_connect");
        expect(result.durationMs).to.be.within(95, 1_000);
      });

      it("goes out once more when the pooled connection was closed", async () => {
        const server = closing(await startHttps("valid", { isClosedOnReuse: true }));
        const client = await openTls();
        expect(outcomeOf(await client.send(aRequest(urlOf(server))))).to.equal(200);
        expect(outcomeOf(await client.send(aRequest(urlOf(server))))).to.equal(200);
        expect(server.served).to.equal(2);
      });
    });
  });
};

describeSend("got", createGotSend);
describeSend("node:http", createHttpSend);

describe("a request with a header that HTTP forbids", () => {
  const hook = useReceiver();

  it("fails, injects nothing, and harms no other", async () => {
    const guard = createAddressGuard({ areLocalReceiversAllowed: true, allowList: [] });
    const client = createGotSend({ guard, timeoutMs: 5_000 });
    const headers = { "X-Bad": "a\r\nX-Injected: b" };
    const result = await client.send(aRequest(hook.receiver.url, { headers }));
    expect(outcomeOf(result)).to.equal("other");
    expect(outcomeOf(await client.send(aRequest(hook.receiver.url)))).to.equal(200);
    expect(hook.receiver.requests).to.have.length(1);
    client.close();
  });
});
