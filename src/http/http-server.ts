import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pause } from "../platform/wait.ts";

export type HttpServer = {
  /** For what speaks another protocol on the same port, and closes what it opened by itself. */
  readonly server: Server;
  /** Starts listening and returns the port, which is a free one where 0 was asked for. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Stops accepting, lets what is in flight finish for at most `graceMs`, then cuts what is left.
   * True where nothing had to be cut. A second call waits for the first one's end.
   */
  close(graceMs: number): Promise<boolean>;
};

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
const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Cuts the connection of a client that does not send its body in time. */
const limitBody = (request: IncomingMessage, timeMs: number): void => {
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
};

/**
 * From here on the body of this request may take long, as long as some of it keeps coming; until
 * the returned function is called.
 */
export const allowSlowBody = (request: IncomingMessage): (() => void) => {
  const more = (): void => void deadlines.get(request)?.refresh();
  request.on("data", more);
  return () => request.off("data", more);
};

const listenOn = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

const closeWithin = async (server: Server, graceMs: number): Promise<boolean> => {
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
    await Promise.race([closed, pause(25)]);
  }
  const isClean = isClosed;
  server.closeAllConnections();
  await closed;
  return isClean;
};

/** An HTTP server with time limits and an orderly end. */
export const createHttpServer = (
  listener: RequestListener,
  { bodyTimeMs = bodyMs }: { bodyTimeMs?: number } = {},
): HttpServer => {
  let closing: Promise<boolean> | undefined;
  const server = createServer(limits, (request, response) => {
    if (closing !== undefined) {
      response.setHeader("Connection", "close");
    }
    limitBody(request, bodyTimeMs);
    listener(request, response);
  });
  return {
    server,
    listen: (port, host) => listenOn(server, port, host),
    close: (graceMs) => {
      closing ??= server.listening ? closeWithin(server, graceMs) : Promise.resolve(true);
      return closing;
    },
  };
};
