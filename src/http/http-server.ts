import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
  maxHeaderSize,
} from "node:http";
import { type AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { sleep } from "../platform/concurrency/async.ts";
import { randomUUID } from "node:crypto";
import { problem, problemCatalogue } from "../contracts/problems.ts";
import { problemBody } from "./answer.ts";
import type { Express, RequestHandler, Response } from "express";
import helmet from "helmet";

export type HttpServer = {
  /** For other protocols on the same port, which close their own connections. */
  readonly server: Server;
  /** Starts listening and returns the port. Port 0 picks a free one. */
  listen(port: number, host: string): Promise<number>;
  /** Keeps serving, and closes each connection after its next answer. */
  drain(): void;
  /**
   * Stops accepting, waits at most `graceMs` for requests in flight, then closes their connections.
   * True if none had to be closed. A second call waits for the first.
   */
  close(graceMs: number): Promise<boolean>;
};

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

const kilobytes = Math.floor(maxHeaderSize / 1024);

/**
 * Allows a slow body for this request, as long as bytes keep coming, until the returned function is
 * called.
 */
export function allowSlowBody(request: IncomingMessage): () => void {
  const more = (): void => void deadlines.get(request)?.refresh();
  request.on("data", more);
  return () => request.off("data", more);
}

/**
 * A client has 10 s for its headers and 30 s for its body, so slow clients cannot hold sockets.
 * With `allowSlowBody` a body may take 15 minutes, Node's own limit, as long as bytes keep coming.
 * Idle connections outlive the 60 s of common proxies: if this server closed one first, the proxy's
 * next request could fail.
 */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};

const bodyMs = 30_000;

type MessageClasses = Readonly<{
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}>;

/**
 * Requests and responses that are created with the prototypes of an Express application. Express
 * would replace the prototypes of each one. V8 then gives each a new hidden class, and every
 * property access of the request misses the inline caches.
 */
export function messageClasses(app: Express): MessageClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<
    Request extends IncomingMessage = IncomingMessage,
  > extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Express["request"];
  app.response = ExpressResponse.prototype as Express["response"];
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

type ServerOptions = Readonly<{
  bodyTimeMs?: number;
  /** Classes of the requests and responses, see `messageClasses`. */
  messages?: MessageClasses;
  /** The complete raw HTTP answer to a request whose headers are too large. */
  refuseHeaders?: () => string;
}>;

/** An HTTP server with time limits and a graceful shutdown. */
export function createHttpServer(
  listener: RequestListener,
  { bodyTimeMs = bodyMs, messages, refuseHeaders = headersTooLarge("") }: ServerOptions = {},
): HttpServer {
  let closing: Promise<boolean> | undefined;
  let isDraining = false;
  const server = createServer({ ...limits, ...messages }, (request, response) => {
    if (isDraining) {
      response.setHeader("Connection", "close");
    }
    limitBody(request, bodyTimeMs);
    listener(request, response);
    if (request.method === "GET" || request.method === "HEAD") {
      request.resume(); // nobody reads their bodies, so the time limit would cut a long answer
    }
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

/** Closes the connection of a client that does not send its body in time. */
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
  socket.once("close", release); // a request that was answered before it was read emits no event
}

/** Whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** How long a rejected client may take to read the answer. */
const refusalMs = 2_000;

/**
 * Answers requests that Node's parser rejects. Only headers that are too large get an answer: other
 * bytes are not HTTP. The rest of the request is read and dropped, because closing a connection
 * with unread bytes would discard the answer.
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
    const timeout = setTimeout(() => socket.destroy(), refusalMs);
    socket.once("close", () => clearTimeout(timeout));
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
    server.closeIdleConnections(); // connections that became idle since the last call
    await Promise.race([closed, sleep(25)]);
  }
  const isClean = isClosed;
  server.closeAllConnections();
  await closed;
  return isClean;
}

const detail = `The request line and the headers have more than ${kilobytes} KB. Send long fields in the body, not in the query.`;

/** The raw answer: status line, headers, and the body that every problem has. */
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

/** For answers that load no resources: no frames, no sniffing. */
export function securityHeaders(): RequestHandler {
  const headers = helmetHeaders();
  return (_request, response, next) => {
    setHsts(response);
    for (const [name, value] of headers) {
      response.setHeader(name, value);
    }
    next();
  };
}

/** The headers that helmet sets. They are the same for every answer, so it runs only once. */
function helmetHeaders(): readonly (readonly [name: string, value: string])[] {
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    xFrameOptions: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: false, // helmet would send it over plain HTTP too
    xPoweredBy: false, // it would remove the header, which the application does not send
  });
  const headers: [name: string, value: string][] = [];
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  secure(request, response, () => undefined);
  return headers;
}

const hstsPolicy = "max-age=31536000; includeSubDomains";

/** HSTS for a year including subdomains, on HTTPS requests only. */
export function setHsts(response: Response): void {
  if (response.req.secure) {
    response.set("Strict-Transport-Security", hstsPolicy);
  }
}
