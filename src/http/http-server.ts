import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  maxHeaderSize,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { sleep } from "../platform/concurrency/sleep.ts";
import { randomUUID } from "node:crypto";
import { problem, problemCatalogue } from "../contracts/problems.ts";
import { problemBody } from "./answer.ts";
import type { RequestHandler, Response } from "express";
import helmet from "helmet";

export type HttpServer = {
  /** For what speaks another protocol on the same port, and closes what it opened by itself. */
  readonly server: Server;
  /** Starts listening and returns the port, which is a free one where 0 was asked for. */
  listen(port: number, host: string): Promise<number>;
  /** Goes on serving, and closes each connection with its next answer. */
  drain(): void;
  /**
   * Stops accepting, lets what is in flight finish for at most `graceMs`, then cuts what is left.
   * True where nothing had to be cut. A second call waits for the first one's end.
   */
  close(graceMs: number): Promise<boolean>;
};

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

const kilobytes = Math.floor(maxHeaderSize / 1024);

/**
 * From here on the body of this request may take long, as long as some of it keeps coming; until
 * the returned function is called.
 */
export function allowSlowBody(request: IncomingMessage): () => void {
  const more = (): void => void deadlines.get(request)?.refresh();
  request.on("data", more);
  return () => request.off("data", more);
}

/**
 * A client has 10 s for its headers and 30 s for its body, so slow ones cannot hold sockets. Only
 * where a handler takes files (`allowSlowBody`) a body may take as long as bytes keep coming, and
 * a quarter of an hour at most, which Node's own limit is. Idle connections outlive the 60 s that common proxies keep theirs: closed first by us,
 * one could die under the proxy's next request.
 */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};

const bodyMs = 30_000;

type ServerOptions = Readonly<{
  bodyTimeMs?: number;
  /** The whole answer, as bytes of HTTP, to a request whose headers do not fit. */
  refuseHeaders?: () => string;
}>;

/** An HTTP server with time limits and an orderly end. */
export function createHttpServer(
  listener: RequestListener,
  { bodyTimeMs = bodyMs, refuseHeaders = headersTooLarge("") }: ServerOptions = {},
): HttpServer {
  let closing: Promise<boolean> | undefined;
  let isDraining = false;
  const server = createServer(limits, (request, response) => {
    if (isDraining) {
      response.setHeader("Connection", "close");
    }
    limitBody(request, bodyTimeMs);
    listener(request, response);
  });
  server.on("clientError", refuseUnreadable(refuseHeaders));
  return {
    server,
    listen: (port, host) => listenOn(server, port, host),
    drain: () => {
      isDraining = true;
    },
    close: (graceMs) => {
      isDraining = true;
      closing ??= server.listening ? closeWithin(server, graceMs) : Promise.resolve(true);
      return closing;
    },
  };
}

/** Cuts the connection of a client that does not send its body in time. */
function limitBody(request: IncomingMessage, timeMs: number): void {
  if (!hasBody(request)) {
    return;
  }
  const timer = setTimeout(() => request.destroy(), timeMs);
  deadlines.set(request, timer);
  const { socket } = request;
  const release = (): void => {
    clearTimeout(timer);
    socket.off("close", release);
  };
  request.once("end", release).once("close", release);
  socket.once("close", release); // a request that was answered unread is not told of it
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** How long a client that is refused may take to read why. */
const refusalMs = 2_000;

/**
 * Answers what Node's parser gives up on. Only headers that are too large are worth a word: other
 * bytes are not HTTP. What the client still sends is read and dropped, since a connection that is
 * closed with unread bytes takes the answer with it.
 */
function refuseUnreadable(refuseHeaders: () => string) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (!socket.writable) {
      return;
    }
    const isTooLarge = error.code === "HPE_HEADER_OVERFLOW";
    socket.end(
      isTooLarge ? refuseHeaders() : "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
    );
    const cut = setTimeout(() => socket.destroy(), refusalMs);
    socket.once("close", () => clearTimeout(cut));
    socket.resume();
  };
}

function listenOn(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function closeWithin(server: Server, graceMs: number): Promise<boolean> {
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      isClosed = true;
      resolve();
    });
  });
  const deadline = performance.now() + graceMs;
  while (!isClosed && performance.now() < deadline) {
    server.closeIdleConnections(); // those whose last answer went out since the last look
    await Promise.race([closed, sleep(25)]);
  }
  const isClean = isClosed;
  server.closeAllConnections();
  await closed;
  return isClean;
}

const detail = `The request line and the headers have more than ${kilobytes} KB. Send long fields in the body, not in the query.`;

/** A whole answer: status line, headers, and the same body as every other refusal. */
export function headersTooLarge(baseUrl: string) {
  return (): string => {
    const requestId = randomUUID();
    const fault = problem("headers_too_large", detail);
    const body = JSON.stringify(problemBody(fault, { baseUrl, requestId, isOauth: false }));
    const { status, title } = problemCatalogue[fault.kind];
    return [
      `HTTP/1.1 ${status} ${title}`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      "Cache-Control: no-store",
      "X-Content-Type-Options: nosniff",
      "Connection: close",
      "",
      body,
    ].join("\r\n");
  };
}

/** For answers that load nothing: no resources, frames or sniffing. */
export function securityHeaders(): RequestHandler {
  return secureWith({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] });
}

/** Never framed or sniffed; what a page may load stands in these directives of its policy. */
function secureWith(directives: Record<string, string[]>): RequestHandler {
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: false, // helmet asks for it by http, too
  });
  return (request, response, next) => {
    setHsts(response);
    secure(request, response, next);
  };
}

const hstsPolicy = "max-age=31536000; includeSubDomains";

/** HSTS for a year including subdomains, on https requests only. */
export function setHsts(response: Response): void {
  if (response.req.secure) {
    response.set("Strict-Transport-Security", hstsPolicy);
  }
}
