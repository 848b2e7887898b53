import { expect } from "chai";
import express from "express";
import helmet from "helmet";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import {
  allowSlowBody,
  createHttpServer,
  messageClasses,
  securityHeaders,
  type HttpServer,
} from "../../src/http/http-server.ts";
import { eventually } from "../support/eventually.ts";
import { promised } from "../support/promised.ts";

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

async function listen(server: HttpServer): Promise<string> {
  return `http://127.0.0.1:${await server.listen(0, "127.0.0.1")}`;
}

describe("HTTP server", () => {
  it("finishes requests in flight, and sends `Connection: close`", async () => {
    const { open, opened } = gate();
    let requests = 0;
    const server = createHttpServer((_request, response) => {
      requests += 1;
      void opened.then(() => response.end("done"));
    });
    const url = await listen(server);
    const answer = fetch(url);
    await eventually(() => requests === 1);
    const closing = server.close(5_000);
    open();
    expect(await (await answer).text()).to.equal("done");
    expect(await closing).to.equal(true);
  });

  it("keeps serving while it drains, and closes each connection after its answer", async () => {
    const server = createHttpServer((_request, response) => response.end("served"));
    const url = await listen(server);
    const connection = async (): Promise<string | null> => {
      const answer = await fetch(url);
      expect(await answer.text()).to.equal("served");
      return answer.headers.get("connection");
    };
    expect(await connection()).to.equal("keep-alive");
    server.drain();
    expect([await connection(), await connection()]).to.deep.equal(["close", "close"]);
    await server.close(1_000);
  });

  it("creates requests and responses with the prototypes of the Express application", async () => {
    const app = express();
    app.get("/", (request, response) => void response.json({ path: request.path }));
    const server = createHttpServer(app, { messages: messageClasses(app) });
    const created: boolean[] = [];
    server.server.prependListener("request", (request, response) => {
      created.push(
        Object.getPrototypeOf(request) === app.request,
        Object.getPrototypeOf(response) === app.response,
      );
    });
    const answer = await fetch(await listen(server));
    expect(await answer.json()).to.deep.equal({ path: "/" });
    expect(created).to.deep.equal([true, true]);
    await server.close(1_000);
  });

  it("sends the security headers of helmet", async () => {
    const app = express();
    const policy = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
    const secure = helmet({
      contentSecurityPolicy: { useDefaults: false, directives: policy },
      xFrameOptions: { action: "deny" },
      strictTransportSecurity: false,
    });
    app.get("/helmet", secure, (_request, response) => void response.end());
    app.disable("x-powered-by");
    app.get("/api", securityHeaders(), (_request, response) => void response.end());
    const server = createHttpServer(app);
    const url = await listen(server);
    const headersOf = async (path: string) => {
      const { headers } = await fetch(`${url}${path}`);
      return [...headers].filter(([name]) => name !== "date");
    };
    const expected = await headersOf("/helmet");
    expect(expected).to.deep.include(["x-frame-options", "DENY"]);
    expect(await headersOf("/api")).to.deep.equal(expected);
    await server.close(1_000);
  });

  it("rejects new connections immediately", async () => {
    const { open, opened } = gate();
    let requests = 0;
    const server = createHttpServer((_request, response) => {
      requests += 1;
      void opened.then(() => response.end());
    });
    const url = await listen(server);
    const first = fetch(url);
    await eventually(() => requests === 1); // a connection without a request counts as idle
    expect(await isOpen(url)).to.equal(true);
    const closing = server.close(5_000);
    await eventually(async () => !(await isOpen(url)));
    open();
    await first;
    await closing;
  });

  it("does not wait for idle connections", async () => {
    const server = createHttpServer((_request, response) => response.end("x"));
    const url = await listen(server);
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve, reject) => {
      get(url, { agent }, (message: IncomingMessage) => {
        message.resume().once("end", resolve);
      }).once("error", reject);
    });
    const startedAt = performance.now();
    expect(await server.close(5_000)).to.equal(true);
    expect(performance.now() - startedAt).to.be.lessThan(promised(1_000));
    agent.destroy();
  });

  it("closes what is not finished within the grace period, and reports it", async () => {
    let requests = 0;
    const server = createHttpServer(() => {
      requests += 1;
    });
    const url = await listen(server);
    const answer = fetch(url).catch(() => "cut");
    await eventually(() => requests === 1);
    expect(await server.close(50)).to.equal(false);
    expect(await answer).to.equal("cut");
  });

  it("can be closed before it listens, and twice", async () => {
    const unused = createHttpServer(() => undefined);
    expect(await unused.close(1_000)).to.equal(true);
    const server = createHttpServer(() => undefined);
    await listen(server);
    expect(await Promise.all([server.close(1_000), server.close(1_000)])).to.deep.equal([
      true,
      true,
    ]);
  });

  /** Sends a body of ten bytes one by one on demand. Returns how the connection ended. */
  const sendSlowly = async (url: string) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.on("error", () => undefined);
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
    return {
      byte: () => socket.write("x"),
      get received() {
        return received;
      },
      get isDisconnected() {
        return socket.destroyed || socket.readableEnded;
      },
      close: () => socket.destroy(),
    };
  };

  it("disconnects clients that do not send their body in time", async () => {
    const server = createHttpServer(
      (request, response) => void request.resume().once("end", () => response.end("all")),
      { bodyTimeMs: 40 },
    );
    const client = await sendSlowly(await listen(server));
    await eventually(() => {
      client.byte();
      return client.isDisconnected;
    });
    expect(client.received).to.equal("");
    await server.close(1_000);
  });

  it("does not cut the answer to a GET with a body that nobody reads", async () => {
    const { open, opened } = gate();
    let requests = 0;
    const server = createHttpServer(
      (request, response) => {
        requests += 1;
        request.once("end", open);
        void opened.then(() => response.end("done"));
      },
      { bodyTimeMs: 1_500 },
    );
    const port = Number(new URL(await listen(server)).port);
    const client = connect(port, "127.0.0.1");
    client.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}");
    expect(await text(client)).to.match(/done$/u);
    expect(requests).to.equal(1);
    await server.close(1_000);
  });

  it("waits for a slow body if the handler allows it, as long as bytes keep coming", async () => {
    const server = createHttpServer(
      (request, response) => {
        allowSlowBody(request);
        request.once("end", () => response.end("all"));
      },
      { bodyTimeMs: 1_500 },
    );
    const url = await listen(server);
    const startedAt = performance.now();
    const patient = await sendSlowly(url);
    let sent = 0;
    await eventually(() => {
      if (sent < 10 && performance.now() - startedAt > 200 * (sent + 1)) {
        sent += 1;
        patient.byte();
      }
      return patient.received.endsWith("all");
    });
    expect(performance.now() - startedAt).to.be.greaterThan(1_700);
    const silent = await sendSlowly(url);
    await eventually(() => silent.isDisconnected);
    patient.close();
    await server.close(1_000);
  });

  it("rejects if the port is in use", async () => {
    const server = createHttpServer(() => undefined);
    const port = await server.listen(0, "127.0.0.1");
    const second = createHttpServer(() => undefined);
    const failure = await second.listen(port, "127.0.0.1").catch((thrown: unknown) => thrown);
    expect(failure).to.have.property("code", "EADDRINUSE");
    await server.close(1_000);
  });
});

async function isOpen(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
