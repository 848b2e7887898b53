/**
 * HTTP agents that connect only to allowed addresses. The check happens at connect time, on the
 * resolved addresses, which prevents DNS rebinding. Address classes do not share sockets.
 */
import http from "node:http";
import https from "node:https";
import net, { type LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import { toError } from "../../platform/errors.ts";
import { BlockedTargetError, type AddressGuard } from "../../platform/net/address-guard.ts";
import type { AddressClass } from "../../platform/net/address-rules.ts";

export type Guard = Pick<AddressGuard, "isAddressAllowed" | "resolve">;

export type AgentOptions = {
  guard: Guard;
  /** For TCP and TLS together, after the address is resolved. */
  connectTimeoutMs: number;
  maxSocketsPerOrigin?: number;
  /** A CA that is trusted instead of the system's; for tests. */
  ca?: string;
};

/**
 * One agent per address class, and one for https requests with a client certificate, which
 * `identity` names.
 */
export type Agents = Readonly<Record<AddressClass | "certified", http.Agent>>;

export const oldestTls = "TLSv1.2";

type DialOptions = http.ClientRequestArgs & { host?: string; port?: number | string };

class ConnectTimeoutError extends Error {
  readonly code = "ETIMEDOUT";
}

/** By `performance.now()`. */
export type ConnectionTimes = {
  dialledAt: number;
  resolvedAt?: number;
  connectedAt?: number;
  securedAt?: number;
};

const connections = new WeakMap<Duplex, ConnectionTimes>();

/** When the steps of a connection happened; undefined before it is dialled. */
export function connectionTimes(socket: Duplex | null | undefined): ConnectionTimes | undefined {
  return socket === null || socket === undefined ? undefined : connections.get(socket);
}

/** Bytes received on a pooled socket before it was reused. */
const bytesReadAtReuse = new WeakMap<Duplex, number>();

class GuardedHttpAgent extends http.Agent {
  readonly #dial: ReturnType<typeof createDialler>;

  constructor(options: AgentOptions, addressClass: AddressClass, agentOptions: http.AgentOptions) {
    super(agentOptions);
    this.#dial = createDialler(options, addressClass);
  }

  override createConnection(options: DialOptions): Duplex | null | undefined {
    return this.#dial(options, "connect", (checked) => super.createConnection(checked));
  }

  override reuseSocket(socket: Duplex, request: http.ClientRequest): void {
    markReuse(socket);
    super.reuseSocket(socket, request);
  }
}

class GuardedHttpsAgent extends https.Agent {
  readonly #dial: ReturnType<typeof createDialler>;

  constructor(options: AgentOptions, addressClass: AddressClass, agentOptions: https.AgentOptions) {
    super(agentOptions);
    this.#dial = createDialler(options, addressClass);
  }

  override createConnection(options: DialOptions): Duplex | null | undefined {
    return this.#dial(options, "secureConnect", (checked) => super.createConnection(checked));
  }

  override reuseSocket(socket: Duplex, request: http.ClientRequest): void {
    markReuse(socket);
    super.reuseSocket(socket, request);
  }

  /** All requests here have the same TLS options, so Node's long pool key would only cost time. */
  override getName(options: http.RequestOptions = {}): string {
    return `${options.host}:${options.port}`;
  }
}

/**
 * Node pools sockets and TLS sessions under this name, so a subscription never uses connections
 * that were opened with another one's certificate.
 */
class CertifiedHttpsAgent extends GuardedHttpsAgent {
  override getName(options: http.RequestOptions & { identity?: string } = {}): string {
    return `${super.getName(options)}:${options.identity}`;
  }
}

export type GuardedAgents = {
  keepAlive: Agents;
  /** One connection per request: for the resend after a stale pooled connection. */
  fresh: Agents;
  close(): void;
};

/** Whether the request was sent on a pooled socket that returned no byte since. */
export function isUnansweredReuse(socket: net.Socket | null | undefined): boolean {
  return (
    socket !== null && socket !== undefined && bytesReadAtReuse.get(socket) === socket.bytesRead
  );
}

/** Below 5 s, after which many servers silently close an idle connection. */
const idleSocketMs = 4_000;

export function createGuardedAgents(options: AgentOptions): GuardedAgents {
  const keepAlive = createAgents(options, {
    keepAlive: true,
    scheduling: "lifo",
    timeout: idleSocketMs,
    maxFreeSockets: 256,
    ...(options.maxSocketsPerOrigin === undefined
      ? {}
      : { maxSockets: options.maxSocketsPerOrigin }),
  });
  const fresh = createAgents(options, { keepAlive: false });
  return {
    keepAlive,
    fresh,
    close: () => {
      for (const agent of [...Object.values(keepAlive), ...Object.values(fresh)]) {
        agent.destroy();
      }
    },
  };
}

function createAgents(options: AgentOptions, agentOptions: http.AgentOptions): Agents {
  const tlsOptions: https.AgentOptions = {
    ...agentOptions,
    maxCachedSessions: 2_000,
    minVersion: oldestTls,
    rejectUnauthorized: true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  };
  return {
    http: new GuardedHttpAgent(options, "http", agentOptions),
    inbox: new GuardedHttpAgent(options, "inbox", agentOptions),
    https: new GuardedHttpsAgent(options, "https", tlsOptions),
    certified: new CertifiedHttpsAgent(options, "https", tlsOptions),
  };
}

/**
 * Of the connect time-out, for each address but the last. Node's own 250 ms are too short for a
 * distant receiver, and for a lost SYN, which is repeated after a second.
 */
const firstAddressShare = 0.25;

type Dial = (
  options: DialOptions &
    Required<Pick<net.TcpNetConnectOpts, "lookup" | "autoSelectFamilyAttemptTimeout">>,
) => Duplex | null | undefined;

/** Connects through the guard, within the connect time-out. */
function createDialler(options: AgentOptions, addressClass: AddressClass) {
  const { guard, connectTimeoutMs } = options;

  const lookupFor =
    (port: number): LookupFunction =>
    (hostname, { all, family }, callback) => {
      guard.resolve(hostname, port, addressClass).then(
        (found) => {
          const wanted =
            family === 4 || family === 6 ? found.filter((a) => a.family === family) : found;
          const [first] = wanted.length > 0 ? wanted : found;
          if (all === true) {
            callback(null, [...found]);
          } else {
            callback(null, first?.address ?? "", first?.family);
          }
        },
        (error: unknown) => callback(toError(error), all === true ? [] : ""),
      );
    };

  const limitTime = (socket: Duplex, readyEvent: string): void => {
    const timer = setTimeout(() => {
      socket.destroy(new ConnectTimeoutError("Connection timed out"));
    }, connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once(readyEvent, stop);
    socket.once("close", stop);
  };

  return (wanted: DialOptions, readyEvent: string, dial: Dial): Duplex | null | undefined => {
    const host = bareHost(wanted.host ?? "");
    const port = Number(wanted.port);
    const isLiteral = net.isIP(host) !== 0;
    const isRefused =
      host === "" ||
      typeof wanted.socketPath === "string" ||
      (isLiteral && !guard.isAddressAllowed(host, port, addressClass));
    if (isRefused) {
      const socket = new net.Socket();
      process.nextTick(() => socket.destroy(new BlockedTargetError()));
      return socket;
    }
    const times: ConnectionTimes = { dialledAt: performance.now() };
    const socket = dial({
      ...wanted,
      lookup: lookupFor(port),
      autoSelectFamilyAttemptTimeout: Math.ceil(connectTimeoutMs * firstAddressShare),
    });
    if (socket === null || socket === undefined) {
      return socket;
    }
    recordTimes(socket, times);
    if (isLiteral) {
      limitTime(socket, readyEvent);
    } else {
      socket.once("lookup", () => limitTime(socket, readyEvent));
    }
    return socket;
  };
}

function recordTimes(socket: Duplex, times: ConnectionTimes): void {
  connections.set(socket, times);
  socket.once("lookup", () => {
    times.resolvedAt = performance.now();
  });
  socket.once("connect", () => {
    times.connectedAt = performance.now();
  });
  socket.once("secureConnect", () => {
    times.securedAt = performance.now();
  });
}

function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/u, "$1");
}

function markReuse(socket: Duplex): void {
  if (socket instanceof net.Socket) {
    bytesReadAtReuse.set(socket, socket.bytesRead);
  }
}
