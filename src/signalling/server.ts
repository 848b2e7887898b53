/**
 * Sockets of agents and of people in rooms, on the port of the web role. Any number of processes
 * serve them; what one does is in the database, and the others are told where to look.
 *
 * On crash: clients connect to another process and ask for what they have not seen; whoever was
 * connected to the dead one and does not come back is gone after 20 s.
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
  /** What a process told: `chat:<enterprise>:<message>`. Without any, some may have been lost. */
  wake(topics: readonly string[]): void;
  /** Disconnects everybody, who then connect to another process. */
  close(): Promise<void>;
}>;

const deleteExpiredEveryMs = 60_000;

/** Serves sockets on a server that listens, or will. */
export function startSignalling(deps: SignallingDeps, http: HttpServer): Signalling {
  const { times } = deps;
  const io = openServer(http, deps);
  const open = trackConnections(http);
  const drivers = [createAgentNamespace(deps, io), createRoomNamespace(deps, io)];
  const stop = new AbortController();
  const { attempt, every } = createSteps(deps, stop.signal);
  const heartbeats = drivers.map(({ heartbeat }) => heartbeat);
  /** The database was away: who is here says so before anybody looks. */
  const pollNow = async (): Promise<void> => {
    await Promise.all(heartbeats.map(attempt));
    await Promise.all(pollsOf(drivers).map(attempt));
  };
  const running = Promise.all([
    // Apart: whoever is here stays so, however long a look takes.
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

/** A description of a call has about 10 KB, and what is written at most 4,000 characters. */
const maxMessageBytes = 64 * 1_024;

/** What polite clients have to answer a close frame in, before they are cut. */
const closeFrameTimeoutMs = 1_000;

/**
 * No long polling, which would need the same process each time and CORS. No cookies. Who may
 * connect is decided in the namespaces: by a token, and by the page's origin.
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
      const isTaken = admission.begin(request);
      if (!isTaken) {
        metrics.refused("", "rate_limited");
      }
      decide(isTaken ? null : "Too many connections.", isTaken);
    },
  });
  io.on("new_namespace", (namespace) => {
    namespace.on("connection", ({ request }: Socket) => admission.admit(request));
  });
  // Everybody is in a namespace of theirs, and nobody in this one.
  io.use((_socket, next) => next(new Error("not_found")));
  return io;
}

/** The connections under the sockets: the server of HTTP does not end those. */
function trackConnections(http: HttpServer): ReadonlySet<Duplex> {
  const open = new Set<Duplex>();
  http.on("upgrade", (_request, socket: Duplex) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return open;
}

/** Runs a step again and again, whatever became of it the last time. */
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

/** Longer than any poll looks back. */
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
