import type { Request } from "express";

export type IsLocal = (request: Request) => boolean;

const loopback = /^(?:127\.|::1$|::ffff:127\.)/u;

const localNames = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

/** One of them at least is what proxies and tunnels add. */
const proxyHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Tells a request of this very machine that came through no proxy. The host's name counts too: a
 * foreign page can make a name of its own mean this machine. Where the platform's public address is
 * not this machine's, none is: a proxy that says nothing of itself would look like one.
 */
export function createLocalCheck(isLocalPlatform: boolean): IsLocal {
  return (request) =>
    isLocalPlatform &&
    loopback.test(request.socket.remoteAddress ?? "") &&
    localNames.has(request.hostname ?? "") &&
    proxyHeaders.every((name) => request.get(name) === undefined);
}
