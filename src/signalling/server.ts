/**
 * Socket.IO server of the web role, for agents and room participants. Any number of processes serve
 * sockets; they share state through the database and wake each other with topics.
 *
 * On crash: clients reconnect to another process and fetch what they missed. Participants who do
 * not return count as gone after 20 s, when their lease expires.
 */
import type { Server as HttpServer } from "node:http";
import type { Duplex } from "node:stream";
import { Server, type Socket } from "socket.io";
import { signallingPath } from "../contracts/signalling.ts";
import { toError } from "../platform/errors.ts";
import { sleep } from "../platform/concurrency/async.ts";
import { createConnectionLimiter } from "./connection-limiter.ts";
import { createAgentNamespace } from "./agent/agent.ts";
import { deleteOldDirect } from "./colleague-store.ts";
import { deleteOldPresences } from "./presence-store.ts";
import type { SignallingDeps, NamespaceDriver } from "./ports.ts";
import { deleteOldPeers } from "./room/peer-store.ts";
import { createRoomNamespace } from "./room/room.ts";
import { deleteOldSignals } from "./room/signal-store.ts";

export type Signalling = Readonly<{
  /**
   * Published topics, for example `chat:<enterprise>:<message>`. An empty list means that wake-ups
   * may have been lost.
   */
  wake(topics: readonly string[]): void;
  /** Disconnects all clients, which then reconnect to another process. */
  close(): Promise<void>;
}>;

const deleteExpiredEveryMs = 60_000;

/** Attaches to an HTTP server, which may start to listen later. */
export function startSignalling(deps: SignallingDeps, http: HttpServer): Signalling {
  const { times } = deps;
  const io = openServer(http, deps);
  const open = trackConnections(http);
  const drivers = [createAgentNamespace(deps, io), createRoomNamespace(deps, io)];
  const stop = new AbortController();
  const { attempt, every } = createSteps(deps, stop.signal);
  const heartbeats = drivers.map(({ heartbeat }) => heartbeat);
  /**
   * After a database outage: renew all leases before the polls, so that no connected client counts
   * as gone.
   */
  const pollNow = async (): Promise<void> => {
    await Promise.all(heartbeats.map(attempt));
    await Promise.all(pollsOf(drivers).map(attempt));
  };
  const running = Promise.all([
    // A separate loop: slow polls must not delay heartbeats.
    every(times.heartbeatMs, heartbeats),
    every(times.heartbeatMs, pollsOf(drivers)),
    every(
      times.tokensMs,
      drivers.map(({ checkTokens }) => checkTokens),
    ),
    every(deleteExpiredEveryMs, [() => deleteExpiredRows(deps)]),
  ]);
  return {
    wake: (topics) => {
      if (topics.length === 0) {
        void pollNow();
      }
      for (const topic of topics) {
        const [type = "", ...ids] = topic.split(":");
        drivers.forEach(({ onWakeup }) => onWakeup(type, ids));
      }
    },
    close: async () => {
      stop.abort();
      await endConnections(io, open);
      await running;
    },
  };
}

/** An SDP has about 10 KB, a chat message at most 4,000 characters. */
const maxMessageBytes = 64 * 1_024;

/** Time for the closing handshake before the socket is destroyed. */
const closeFrameTimeoutMs = 1_000;

/**
 * WebSocket only: long polling would need sticky sessions and CORS. No cookies. Namespaces
 * authenticate by token and check the origin.
 */
function openServer(http: HttpServer, { times, metrics, trustProxy }: SignallingDeps): Server {
  const { heartbeatMs, goneMs, admissionMs } = times;
  const admission = createConnectionLimiter({
    waitMs: admissionMs + closeFrameTimeoutMs,
    trustProxy,
  });
  const io = new Server(http, {
    path: signallingPath,
    serveClient: false,
    transports: ["websocket"],
    pingInterval: heartbeatMs,
    pingTimeout: goneMs - heartbeatMs,
    connectTimeout: admissionMs,
    maxHttpBufferSize: maxMessageBytes,
    allowRequest: (request, decide) => {
      const isAdmitted = admission.begin(request);
      if (!isAdmitted) {
        metrics.refused("", "rate_limited");
      }
      decide(isAdmitted ? null : "Too many connections.", isAdmitted);
    },
  });
  io.on("new_namespace", (namespace) => {
    namespace.on("connection", ({ request }: Socket) => admission.admit(request));
  });
  // The default namespace is unused.
  io.use((_socket, next) => next(new Error("not_found")));
  return io;
}

/** Tracks upgraded connections: closing the HTTP server does not close them. */
function trackConnections(http: HttpServer): ReadonlySet<Duplex> {
  const open = new Set<Duplex>();
  http.on("upgrade", (_request, socket: Duplex) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return open;
}

/** Periodic steps. A failed step is logged and runs again at the next interval. */
function createSteps({ log }: SignallingDeps, signal: AbortSignal) {
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (thrown) {
      log.warn({ reason: toError(thrown).message }, "signalling.step_failed");
    }
  };
  const every = async (everyMs: number, steps: readonly (() => Promise<void>)[]) => {
    while (!signal.aborted) {
      await sleep(everyMs, signal);
      for (const step of signal.aborted ? [] : steps) {
        await attempt(step);
      }
    }
  };
  return { attempt, every };
}

function pollsOf(sides: readonly NamespaceDriver[]) {
  return sides.flatMap(({ polls }) => polls);
}

const directRetentionDays = 365;

/** Longer than the look-back of any tail (30 s). */
const signalRetentionMs = 120_000;

async function deleteExpiredRows({ db, clock, times }: SignallingDeps): Promise<void> {
  const now = clock.now();
  const context = { now, goneMs: Math.max(times.goneMs * 3, deleteExpiredEveryMs) };
  await deleteOldPresences(db, context);
  await deleteOldPeers(db, context);
  await deleteOldSignals(db, new Date(now.getTime() - signalRetentionMs));
  await deleteOldDirect(db, new Date(now.getTime() - directRetentionDays * 86_400_000));
}

const closeTimeoutMs = 1_000;

async function endConnections(io: Server, open: ReadonlySet<Duplex>): Promise<void> {
  io.engine.close();
  const deadline = performance.now() + closeTimeoutMs;
  while (open.size > 0 && performance.now() < deadline) {
    await sleep(20);
  }
  open.forEach((socket) => socket.destroy());
}
