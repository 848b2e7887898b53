import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { eventually, type EventuallyOptions } from "./eventually.ts";
import { isSignedWith } from "./signatures.ts";

export type ReceivedRequest = Readonly<{
  method: string;
  /** Path and query as sent. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Alternating names and values, exactly as sent over the wire. */
  rawHeaders: readonly string[];
  body: Buffer;
  text: string;
  /** The header `webhook-id`; empty if it is missing. */
  id: string;
  receivedAt: Date;
  json(): Record<string, unknown>;
}>;

/** The reply to a request. `raw` gets the socket and may do anything with it. */
export type Reply =
  | number
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }
  | "hang"
  | "reset"
  | { raw: (socket: Socket, request: ReceivedRequest) => void };

export type Script = readonly Reply[] | ((request: ReceivedRequest, call: number) => Reply);

export type Receiver = {
  /** `http://127.0.0.1:<port>/hook` */
  readonly url: string;
  readonly port: number;
  /** All requests, in the order in which their bodies were complete. */
  readonly requests: readonly ReceivedRequest[];
  /** Number of requests whose head has arrived. */
  readonly started: number;
  /** Current number of open requests, and the maximum so far. */
  readonly openRequests: number;
  readonly mostOpenRequests: number;
  /** Connections accepted so far. */
  readonly connections: number;
  /** Sets one reply per request; the last one repeats. A new script starts at its first reply. */
  answerWith(script: Script): void;
  /** Waits until `count` requests have arrived, or one with this `webhook-id`. */
  sees(wanted: number | string, options?: EventuallyOptions): Promise<void>;
  /** Waits for the first request, including earlier ones, that the predicate accepts. */
  waitFor(
    predicate: (request: ReceivedRequest) => boolean,
    options?: EventuallyOptions,
  ): Promise<ReceivedRequest>;
  /** The `webhook-id` of every request, in order. */
  ids(): string[];
  /** Requests whose signature the `standardwebhooks` package rejects. */
  unsigned(secret: string): ReceivedRequest[];
  /** Drops the recorded requests. The script continues. */
  clear(): void;
  close(): Promise<void>;
};

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function describeRequest(message: IncomingMessage, body: Buffer): ReceivedRequest {
  const text = body.toString("utf8");
  const id = message.headers["webhook-id"];
  return {
    method: message.method ?? "",
    path: message.url ?? "",
    headers: message.headers,
    rawHeaders: message.rawHeaders,
    body,
    text,
    id: typeof id === "string" ? id : "",
    receivedAt: new Date(),
    json: () => JSON.parse(text) as Record<string, unknown>,
  };
}

async function reply(
  chosen: Reply,
  request: ReceivedRequest,
  response: ServerResponse,
): Promise<void> {
  if (chosen === "hang") {
    return;
  }
  const { socket } = response;
  if (chosen === "reset") {
    socket?.resetAndDestroy();
  } else if (typeof chosen === "number") {
    response.writeHead(chosen).end();
  } else if ("raw" in chosen) {
    if (socket !== null) {
      chosen.raw(socket, request);
    }
  } else {
    await delay(chosen.delayMs ?? 0, undefined, { ref: false });
    response.writeHead(chosen.status ?? 200, chosen.headers).end(chosen.body ?? "");
  }
}

async function closeServer(server: Server, sockets: Set<Socket>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  for (const socket of sockets) {
    socket.destroy();
  }
  await closed;
}

type State = {
  requests: ReceivedRequest[];
  started: number;
  open: number;
  mostOpen: number;
  connections: number;
  script: Script;
  calls: number;
};

function nextReply(state: State, request: ReceivedRequest): Reply {
  state.calls += 1;
  const { script } = state;
  return typeof script === "function"
    ? script(request, state.calls)
    : (script[Math.min(state.calls, script.length) - 1] ?? 200);
}

async function listen(state: State): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = describeRequest(message, await readBody(message));
    const chosen = nextReply(state, request);
    state.requests.push(request);
    await reply(chosen, request, response);
  };
  const server = createServer((message, response) => {
    state.started += 1;
    state.open += 1;
    state.mostOpen = Math.max(state.mostOpen, state.open);
    response.once("close", () => {
      state.open -= 1;
    });
    // A client that disconnects early is not a fault of the receiver.
    answer(message, response).catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    state.connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, close: () => closeServer(server, sockets) };
}

/** A real HTTP server on a free loopback port that records its requests. Answers 200 by default. */
export async function startReceiver(script: Script = [200]): Promise<Receiver> {
  const state: State = {
    requests: [],
    started: 0,
    open: 0,
    mostOpen: 0,
    connections: 0,
    script,
    calls: 0,
  };
  const { port, close } = await listen(state);
  const seen = (): string =>
    `the receiver has ${state.requests.length}: ${state.requests.map((r) => r.id).join(", ")}`;
  const find = (predicate: (request: ReceivedRequest) => boolean): ReceivedRequest => {
    const found = state.requests.find(predicate);
    if (found === undefined) {
      throw new Error(`no such request; ${seen()}`);
    }
    return found;
  };
  const waitFor: Receiver["waitFor"] = async (predicate, options) =>
    eventually(() => find(predicate), options);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    get requests() {
      return state.requests;
    },
    get started() {
      return state.started;
    },
    get openRequests() {
      return state.open;
    },
    get mostOpenRequests() {
      return state.mostOpen;
    },
    get connections() {
      return state.connections;
    },
    answerWith: (next) => {
      state.script = next;
      state.calls = 0;
    },
    sees: async (wanted, options) => {
      if (typeof wanted === "string") {
        await waitFor((request) => request.id === wanted, options);
        return;
      }
      await eventually(() => {
        if (state.requests.length < wanted) {
          throw new Error(`wanted ${wanted} requests; ${seen()}`);
        }
      }, options);
    },
    waitFor,
    ids: () => state.requests.map((request) => request.id),
    unsigned: (secret) => state.requests.filter((request) => !isSignedWith(secret, request)),
    clear: () => {
      state.requests = [];
    },
    close,
  };
}

/** A separate receiver for every test of the surrounding `describe`. */
export function useReceiver(): { readonly receiver: Receiver } {
  let current: Receiver | undefined;
  beforeEach("start the receiver", async () => {
    current = await startReceiver();
  });
  afterEach("close the receiver", async () => {
    await current?.close();
    current = undefined;
  });
  return {
    get receiver() {
      if (current === undefined) {
        throw new Error("The receiver exists inside tests only");
      }
      return current;
    },
  };
}
