/**
 * Every message of a client is answered, and counted: with what the handler returns, or with a
 * problem. What nobody waits for an answer to is not looked at.
 */
import { problem, type Problem } from "../contracts/problems.ts";
import type { AckError } from "../contracts/signalling.ts";
import { toLoggableError, toProblem } from "../http/answer.ts";
import { rateLimited, type RateVerdict } from "../http/rate-limit.ts";
import { createTokenBucket } from "../platform/concurrency/limiters.ts";
import { toRawInput, type SocketInput } from "./parse-input.ts";
import type { SignallingDeps } from "./ports.ts";
import { maySignIn, type SigningIn } from "./connection-limiter.ts";

/** Whatever a client may send: nothing is known of it before it was looked at. */
export type ClientMessages = Record<string, (sent: unknown, reply: unknown) => void>;

/** The part of a socket that takes messages. */
export type MessageSocket = Readonly<{
  nsp: Readonly<{ name: string }>;
  on(type: string, listener: ClientMessages[string]): unknown;
}>;

export type SocketHandler = (value: SocketInput) => Promise<object>;

export type SocketHandlers = Readonly<Record<string, SocketHandler>>;

type AnsweringDeps = Pick<SignallingDeps, "log" | "metrics">;

export type ServedMessages = Readonly<{
  handlers: SocketHandlers;
  /** Those that reach other people. */
  writing: ReadonlySet<string>;
  /**
   * Those that are only passed on to other pages, many per second. They have a limit of their own
   * and are not counted with REST.
   */
  relayed?: ReadonlySet<string>;
  /** The client goes on although it is refused: end its connection. */
  onFlood?: () => void;
  /** Counts one with all else that its sender asks of the platform. */
  count(): Promise<RateVerdict>;
}>;

type SocketRefusal = Error & { data?: unknown };

/**
 * Of one socket: enough for the quickest hand; a program that goes on and on is told to wait. What
 * somebody may ask with all of their sockets is counted besides.
 */
const rates = {
  written: { size: 20, perSecond: 2 },
  other: { size: 60, perSecond: 10 },
  relayed: { size: 300, perSecond: 60 },
  /** Refusals, before the connection is ended. */
  refused: { size: 500, perSecond: 10 },
};

/** Serves these messages on a socket. */
export function serveMessages(
  deps: AnsweringDeps,
  socket: MessageSocket,
  { handlers, writing, relayed = new Set(), onFlood, count }: ServedMessages,
): void {
  const nowMs = (): number => performance.now();
  const buckets = {
    written: createTokenBucket(rates.written, nowMs),
    other: createTokenBucket(rates.other, nowMs),
    relayed: createTokenBucket(rates.relayed, nowMs),
    refused: createTokenBucket(rates.refused, nowMs),
  };
  const bucketOf = (type: string) =>
    relayed.has(type) ? buckets.relayed : writing.has(type) ? buckets.written : buckets.other;
  const namespace = socket.nsp.name;
  const serve = async (type: string, handler: SocketHandler, sent: unknown): Promise<object> => {
    try {
      if (!bucketOf(type).tryTake()) {
        if (!buckets.refused.tryTake()) {
          onFlood?.();
        }
        throw problem("rate_limited", "Too many messages. Try again in a few seconds.");
      }
      if (!relayed.has(type)) {
        await requireCallLimit(count);
      }
      const result = await handler(toRawInput(sent));
      deps.metrics.message(namespace, type, "ok");
      return { ok: true, ...result };
    } catch (thrown) {
      const found = logFault(deps, { namespace, type }, thrown);
      deps.metrics.message(namespace, type, found.kind);
      return refusal(found);
    }
  };
  for (const [type, handler] of Object.entries(handlers)) {
    socket.on(type, (sent: unknown, reply: unknown) => {
      if (isReply(reply)) {
        void serve(type, handler, sent).then(reply);
      }
    });
  }
}

/** Throws where the sender has asked too much. */
export async function requireCallLimit(count: ServedMessages["count"]): Promise<void> {
  const verdict = await count();
  if (!verdict.isAllowed) {
    throw rateLimited(verdict);
  }
}

function isReply(value: unknown): value is (ack: object) => void {
  return typeof value === "function";
}

type Namespace<S> = Readonly<{
  name: string;
  use(step: (socket: S, next: (refused?: SocketRefusal) => void) => void): unknown;
}>;

/** Lets sockets into a namespace, or tells them why not. */
export function guardNamespace<S extends SigningIn>(
  deps: AnsweringDeps,
  namespace: Namespace<S>,
  admit: (socket: S) => Promise<void>,
): void {
  const { name } = namespace;
  namespace.use((socket, next) => {
    if (!maySignIn(socket)) {
      deps.metrics.refused(name, "rate_limited");
      return;
    }
    admit(socket).then(
      () => next(),
      (thrown: unknown) => {
        const found = logFault(deps, { namespace: name }, thrown);
        deps.metrics.refused(name, found.kind);
        next(connectError(found));
      },
    );
  });
}

export function logFault(
  { log }: Pick<AnsweringDeps, "log">,
  fields: Readonly<Record<string, unknown>>,
  thrown: unknown,
): Problem {
  const found = toProblem(thrown);
  if (found.kind === "internal") {
    log.error({ ...fields, err: toLoggableError(found.cause ?? thrown) }, "signalling.failed");
  } else if (found.kind === "dependency_down") {
    log.warn({ ...fields, reason: toLoggableError(thrown)["message"] }, "signalling.unavailable");
  }
  return found;
}

/** What `connect_error` carries: `data` is the same as in a refused acknowledgement. */
function connectError(found: Problem): Error {
  return Object.assign(new Error(found.kind), { data: refusal(found).error });
}

function refusal({ kind, message, details = "" }: Problem): AckError {
  const [, reason] = /^Reason ([a-z]+)$/u.exec(details) ?? [];
  return {
    ok: false,
    error: { kind, detail: message, ...(reason === undefined ? {} : { reason }) },
  };
}

/** The part of a socket that is a place on a connection. */
export type MultiplexedSocket = Readonly<{
  conn: Readonly<{ close(): unknown }>;
  once(type: "disconnect", listener: () => void): unknown;
}>;

const socketCounts = new WeakMap<object, number>();

/** Ends the connection of a socket with the last of its sockets: it would be counted nowhere. */
export function closeWithLastSocket(socket: MultiplexedSocket): void {
  const { conn } = socket;
  socketCounts.set(conn, (socketCounts.get(conn) ?? 0) + 1);
  socket.once("disconnect", () => {
    const left = (socketCounts.get(conn) ?? 1) - 1;
    socketCounts.set(conn, left);
    if (left === 0) {
      conn.close();
    }
  });
}

/** Ends a socket that was told why, after the answer to the message that it may have asked with. */
export function disconnectAfterReply(socket: Readonly<{ disconnect(): unknown }>): void {
  setImmediate(() => socket.disconnect());
}

/**
 * These handlers, with a deadline for `hello`. Who misses it is cut off as by a lost connection:
 * a page of ours, which may have met a database that was away, comes back by itself.
 */
export function withDeadline(
  socket: MultiplexedSocket,
  helloMs: number,
  handlers: SocketHandlers,
): SocketHandlers {
  const deadline = setTimeout(() => socket.conn.close(), helloMs);
  const stop = (): void => clearTimeout(deadline);
  socket.once("disconnect", stop);
  const { hello } = handlers;
  return hello === undefined
    ? handlers
    : {
        ...handlers,
        hello: async (value) => {
          const answered = await hello(value);
          stop();
          return answered;
        },
      };
}
