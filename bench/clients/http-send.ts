import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { HttpClient } from "../../src/pipeline/delivery/outgoing-request.ts";
import { isUnansweredReuse } from "../../src/pipeline/delivery/guarded-agents.ts";
import { createSendClient, type SendClientOptions } from "../../src/pipeline/delivery/send.ts";
import type { SendClient } from "../../src/pipeline/delivery/send-result.ts";

function isConnected(socket: Socket | TLSSocket | null): boolean {
  return socket?.connecting === false && !("secureConnecting" in socket && socket.secureConnecting);
}

/** Node's own client does not measure phases. */
const nodeClient: HttpClient<http.ClientRequest> = {
  start: (_target, native, body) => {
    const stream = native.protocol === "https:" ? https.request(native) : http.request(native);
    stream.end(body);
    return stream;
  },
  progress: ({ socket }) => (isConnected(socket) ? "waiting" : "connecting"),
  phases: () => ({}),
  isUnansweredReuse: (flight) => flight.reusedSocket && isUnansweredReuse(flight.socket),
};

/** A `Send` on plain `node:http`, with the guard, agents and rules of the platform's client. */
export function createHttpSend(options: SendClientOptions): SendClient {
  return createSendClient(options, nodeClient);
}
