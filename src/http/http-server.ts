import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pause } from "../platform/wait.ts";

export type HttpServer = {
  /** Starts listening and returns the port, which is a free one where 0 was asked for. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Stops accepting, lets what is in flight finish for at most `graceMs`, then cuts what is left.
   * True where nothing had to be cut. A second call waits for the first one's end.
   */
  close(graceMs: number): Promise<boolean>;
};

/**
 * A client has 10 s for its headers and 30 s for a whole request, so slow ones cannot hold
 * sockets. Idle connections outlive the 60 s that common proxies keep theirs: closed first by us,
 * one could die under the proxy's next request.
 */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
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
export const createHttpServer = (listener: RequestListener): HttpServer => {
  let closing: Promise<boolean> | undefined;
  const server = createServer(limits, (request, response) => {
    if (closing !== undefined) {
      response.setHeader("Connection", "close");
    }
    listener(request, response);
  });
  return {
    listen: (port, host) => listenOn(server, port, host),
    close: (graceMs) => {
      closing ??= server.listening ? closeWithin(server, graceMs) : Promise.resolve(true);
      return closing;
    },
  };
};
