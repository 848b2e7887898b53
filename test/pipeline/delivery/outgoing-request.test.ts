import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { useReceiver, type Reply } from "../../support/receiver.ts";
import { answeredBy, aRequest, outcomeOf, useSendClient } from "../../support/send-clients.ts";
import { createHttpSendClient } from "../../../src/pipeline/delivery/send.ts";
import { promised } from "../../support/promised.ts";

function raw(text: string): Reply {
  return { raw: (socket) => socket.write(text) };
}
function rawEnd(text: string): Reply {
  return { raw: (socket) => socket.end(text) };
}

describe("an exchange", () => {
  const hook = useReceiver();
  const { open } = useSendClient(createHttpSendClient);

  it("that gets no answer in time times out, and its connection is closed", async () => {
    hook.receiver.answerWith(["hang"]);
    const result = await open({ timeoutMs: 100 }).send(aRequest(hook.receiver.url));
    expect(outcomeOf(result)).to.equal("timeout_response");
    expect(result.durationMs).to.be.within(95, promised(1_000));
    await eventually(() => expect(hook.receiver.openRequests).to.equal(0));
  });

  it("that gets one byte at a time is cut off at the total time-out", async () => {
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
    expect(slowHead.durationMs).to.be.within(195, promised(1_500));

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
    expect(slowBody.durationMs).to.be.within(195, promised(1_500));
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

  it("does not decompress or show a compressed body", async () => {
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
      expect(result.durationMs).to.be.below(promised(900));
    });
  }

  it("ends if only interim responses arrive", async () => {
    hook.receiver.answerWith([raw("HTTP/1.1 102 Processing\r\n\r\n")]);
    const result = await open({ timeoutMs: 100 }).send(aRequest(hook.receiver.url));
    expect(outcomeOf(result)).to.equal("timeout_response");
  });
});
