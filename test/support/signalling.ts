/** Web processes with sockets, and clients for them. */
import { randomUUID } from "node:crypto";
import { io, type Socket } from "socket.io-client";
import { enterpriseChanged } from "../../src/accounts/identities.ts";
import { composeWeb } from "../../src/compose/web.ts";
import { openPlatform } from "../../src/compose/platform.ts";
import { serveSignalling } from "../../src/compose/signalling.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { RoomPeer } from "../../src/contracts/room-messages.ts";
import { signallingPath } from "../../src/contracts/signalling.ts";
import { createHttpServer, messageClasses } from "../../src/http/http-server.ts";
import type { SignallingTimes } from "../../src/signalling/ports.ts";
import type { StopPart } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { testBaseUrl } from "./api.ts";
import { queueSchema } from "./backends.ts";
import { checkAnswer } from "./described.ts";
import { eventually } from "./eventually.ts";
import type { Tenant, Member } from "./tenant.ts";
import { testKey } from "./secret-box.ts";

/** Intervals that are short enough for a test to wait. */
export const shortTimes = {
  heartbeatMs: 150,
  goneMs: 2_500,
  tokensMs: 200,
  helloMs: 30_000,
  admissionMs: 10_000,
};

export function signallingEnvironment(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    QUEUE_PREFIX: queueSchema,
    SECRET_KEY: testKey.toString("base64"),
    BASE_URL: testBaseUrl,
    MAIL_PROVIDER: "dev",
    SMS_PROVIDER: "dev",
    ALLOW_LOCAL_RECEIVERS: "1",
    RATE_LIMIT_API: "1000000",
    RATE_LIMIT_GUEST: "1000000",
    RATE_LIMIT_TOKEN_IP: "1000000",
  };
}

export type WebNode = Readonly<{
  url: string;
  /** The text of its `/metrics`. */
  metrics(): Promise<string>;
  /**
   * Call it after users of this enterprise were changed without the services, which would report
   * it.
   */
  identitiesChanged(enterpriseId: number): void;
  close(): Promise<void>;
}>;

export type NodeSetup = Readonly<{
  times?: Partial<SignallingTimes>;
  /** Additional settings of the process. */
  environment?: Readonly<Record<string, string>>;
}>;

/** One web process, composed as in production, within this process. */
export async function startWebNode(
  databaseUrl: string,
  { times, environment }: NodeSetup = {},
): Promise<WebNode> {
  const stops: StopPart[] = [];
  const lifecycle = {
    onStop: (_name: string, stop: StopPart) => stops.push(stop),
    signal: new AbortController().signal,
  };
  const platform = await openPlatform({
    config: loadConfig({ ...signallingEnvironment(databaseUrl), ...environment }),
    log: createLogger("fatal", "test"),
    lifecycle,
    databaseUrl,
    secretKey: testKey,
  });
  const { app } = composeWeb(platform, { checkAnswer });
  const server = createHttpServer(app, { messages: messageClasses(app) });
  stops.push(async () => void (await server.close(2_000)));
  serveSignalling({ ...platform, lifecycle }, server, { ...shortTimes, ...times });
  const url = `http://127.0.0.1:${await server.listen(0, "127.0.0.1")}`;
  return {
    url,
    identitiesChanged: (enterpriseId) => enterpriseChanged(platform.db, enterpriseId),
    metrics: async () => (await platform.metrics.render()).text,
    close: async () => {
      for (const stop of stops.splice(0).toReversed()) {
        await stop(5_000);
      }
    },
  };
}

export type Heard = { type: string; input: unknown };

/** A client, and the messages that it has received. */
export type TestClient = Readonly<{
  socket: Socket;
  heard: Heard[];
  /** Received messages of one type. */
  of<T>(type: string): T[];
  /** Sends a message and returns its acknowledgement. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on JSON of any shape
  ask(type: string, input?: unknown): Promise<any>;
  close(): void;
}>;

type Opening = Readonly<{ auth: object; origin?: string; reconnection?: boolean }>;

const opened = new Set<Socket>();

export function dial(
  url: string,
  namespace: string,
  { auth, origin, reconnection }: Opening,
): Socket {
  const socket = io(`${url}${namespace}`, {
    path: signallingPath,
    transports: ["websocket"],
    forceNew: true,
    reconnection: reconnection ?? false,
    reconnectionDelay: 20,
    reconnectionDelayMax: 50,
    auth,
    ...(origin === undefined ? {} : { extraHeaders: { origin } }),
  });
  opened.add(socket);
  return socket;
}

/** Closes clients that tests of the file left open. */
export function closeClients(): void {
  for (const socket of opened) {
    socket.disconnect();
  }
  opened.clear();
}

function heardOnce<T>(socket: Socket, type: string): Promise<T> {
  return new Promise((resolve) => {
    socket.once(type, resolve);
  });
}

type Refusal = Error & { data?: { kind: string } };

function clientOf(socket: Socket): TestClient {
  const heard: Heard[] = [];
  socket.onAny((type: string, input: unknown) => heard.push({ type, input: input }));
  return {
    socket,
    heard,
    of: <T>(wanted: string) =>
      heard.flatMap(({ type, input: value }) => (type === wanted ? [value as T] : [])),
    ask: (type, raw = {}) => socket.timeout(30_000).emitWithAck(type, raw),
    close: () => void socket.disconnect(),
  };
}

/** Connects. Rejects with the server's reason if it refuses the client. */
export async function connect(
  url: string,
  namespace: string,
  opening: Opening,
): Promise<TestClient> {
  const socket = dial(url, namespace, opening);
  const client = clientOf(socket);
  const refused = heardOnce<Refusal>(socket, "connect_error");
  const error = await Promise.race([heardOnce<undefined>(socket, "connect"), refused]);
  if (error !== undefined) {
    throw error;
  }
  return client;
}

/** The reason why a connection is refused. */
export async function refusalOf(url: string, namespace: string, opening: Opening): Promise<string> {
  const socket = dial(url, namespace, opening);
  const error = await heardOnce<Refusal>(socket, "connect_error");
  socket.disconnect();
  return error.data?.kind ?? error.message;
}

export function authOf({ apiKey }: Tenant, { id, token }: Pick<Member, "id" | "token">) {
  return {
    apiKey,
    userId: id,
    token,
  };
}

/** Connects as a staff user, from a page of an allowed domain. */
export function connectAgent(
  { url }: Pick<WebNode, "url">,
  tenant: Tenant,
  member: Pick<Member, "id" | "token">,
  more: Partial<Opening> & { state?: string } = {},
): Promise<TestClient> {
  const { state, ...opening } = more;
  const auth = { ...authOf(tenant, member), ...(state === undefined ? {} : { state }) };
  return connect(url, "/agent", { auth, ...opening });
}

export function connectGuest(
  { url }: Pick<WebNode, "url">,
  token: string,
  more: Partial<Opening> = {},
): Promise<TestClient> {
  return connect(url, "/rtc", { auth: { token }, ...more });
}

/** Connects as a guest's page, after `hello`. */
export async function enterRoom(
  node: Pick<WebNode, "url">,
  token: string,
): Promise<TestClient & { self: RoomPeer }> {
  const client = await connectGuest(node, token);
  const { self } = await client.ask("hello");
  return { ...client, self };
}

/** The same, and joins the call. `joined` is the response. */
export async function joinCall(node: Pick<WebNode, "url">, token: string) {
  const client = await enterRoom(node, token);
  return { ...client, joined: await client.ask("join") };
}

/** Waits until a page has received that another one joined the call. */
export async function hearJoined({ of }: TestClient, { self }: { self: RoomPeer }): Promise<void> {
  await eventually(() =>
    [...of<RoomPeer>("peer-joined"), ...of<RoomPeer>("peer-changed")].some(
      ({ id, isInCall }) => id === self.id && isInCall,
    ),
  );
}

export function aMessage(text: string) {
  return { clientId: randomUUID(), text };
}

/** Waits for a message of this type that the predicate accepts. */
export function hear<T>(
  client: TestClient,
  type: string,
  isIt: (input: T) => boolean = () => true,
): Promise<T> {
  return eventually(() => {
    const found = client.of<T>(type).find(isIt);
    if (found === undefined) {
      throw new Error(`no ${type} among ${JSON.stringify(client.heard)}`);
    }
    return found;
  });
}
