/** Node's HTTP client: how a request is started, how far it is, and how long its phases took. */
import http from "node:http";
import https from "node:https";
import { connectionTimes, isUnansweredReuse } from "./guarded-agents.ts";
import type { HttpClient, ParsedUrl, RequestTimes } from "./outgoing-request.ts";
import type { ConnectionProgress, Phases } from "./send-result.ts";

export const nodeClient: HttpClient<http.ClientRequest> = {
  start: (_target, native, body) => {
    const stream = native.protocol === "https:" ? https.request(native) : http.request(native);
    stream.end(body);
    return stream;
  },
  progress: progressOf,
  phases: phasesOf,
  isUnansweredReuse: ({ reusedSocket, socket }) => reusedSocket && isUnansweredReuse(socket),
};

function progressOf(
  { socket }: http.ClientRequest,
  { isNamed, protocol }: ParsedUrl,
): ConnectionProgress {
  const times = connectionTimes(socket);
  if (times?.connectedAt === undefined) {
    const isAsking = times !== undefined && times.resolvedAt === undefined;
    return isNamed && isAsking ? "resolving" : "connecting";
  }
  return protocol === "https:" && times.securedAt === undefined ? "connecting" : "waiting";
}

/** The times of a connection belong to its first request. */
function phasesOf(
  { socket, reusedSocket }: http.ClientRequest,
  { isNamed }: ParsedUrl,
  { startedAt, answeredAt }: RequestTimes,
): Omit<Phases, "total"> {
  if (reusedSocket) {
    return phase("firstByte", startedAt, answeredAt);
  }
  const { dialledAt, resolvedAt, connectedAt, securedAt } = connectionTimes(socket) ?? {};
  return {
    ...(isNamed ? phase("dns", dialledAt, resolvedAt) : {}),
    ...phase("connect", resolvedAt ?? dialledAt, connectedAt),
    ...phase("tls", connectedAt, securedAt),
    ...phase("firstByte", securedAt ?? connectedAt, answeredAt),
  };
}

function phase(name: keyof Phases, from: number | undefined, to: number | undefined) {
  return from === undefined || to === undefined
    ? {}
    : { [name]: Math.max(0, Math.round(to - from)) };
}
