/**
 * Every client message is counted and acknowledged, with the handler's result or a problem.
 * Unknown messages, and messages without an acknowledgement callback, count as refused and are not
 * answered.
 */
import { problem, type Problem } from "../contracts/problems.ts";
import type { AckError } from "../contracts/signalling.ts";
import { toLoggableError, toProblem } from "../http/answer.ts";
import { rateLimited, type RateVerdict } from "../http/rate-limit.ts";
import { createTokenBucket } from "../platform/concurrency/limiters.ts";
import { toRawInput, type SocketInput } from "./parse-input.ts";
import type { SignallingDeps } from "./ports.ts";
import { maySignIn, type SigningIn } from "./connection-limiter.ts";

/** Untrusted client messages, not validated yet. */
export type ClientMessages = Record<string, (sent: unknown, reply: unknown) => void>;

export type MessageSocket = Readonly<{
  nsp: Readonly<{ name: string }>;
  on(type: string, listener: ClientMessages[string]): unknown;
  onAny(listener: (type: string, ...values: unknown[]) => void): unknown;
}>;

export type SocketHandler = (value: SocketInput) => Promise<object>;

export type SocketHandlers = Readonly<Record<string, SocketHandler>>;

type AnsweringDeps = Pick<SignallingDeps, "log" | "metrics">;

export type ServedMessages = Readonly<{
  handlers: SocketHandlers;
  /** Message types that reach other people; they have the lowest rate limit. */
  writing: ReadonlySet<string>;
  /**
   * Types that are only relayed to other pages, many per second. They have a separate rate limit
   * and do not count against REST.
   */
  relayed?: ReadonlySet<string>;
  /**
   * The type that the others depend on: they wait until it is answered, because a page that is back
   * sends them at once.
   */
  opening?: string;
  /** Called if a client keeps sending after refusals: end its connection. */
  onFlood(): void;
  /** Takes one call from the sender's rate limit, which REST shares. */
  count(): Promise<RateVerdict>;
}>;

type SocketRefusal = Error & { data?: unknown };

/**
 * Token buckets per socket, above what a person can produce. `count` limits the sum over all
 * sockets of a sender.
 */
const rates = {
  written: { size: 20, perSecond: 2 },
  other: { size: 60, perSecond: 10 },
  relayed: { size: 300, perSecond: 60 },
  /** JSON characters of relayed messages: each goes to everybody in the room. */
  relayedCharacters: { size: 512 * 1_024, perSecond: 128 * 1_024 },
  /** Refused messages before `onFlood`, and their JSON characters: large ones delay others, too. */
  refused: { size: 500, perSecond: 10 },
  refusedCharacters: { size: 2 * 1_024 * 1_024, perSecond: 64 * 1_024 },
};

export function serveMessages(
  deps: AnsweringDeps,
  socket: MessageSocket,
  { handlers, writing, relayed = new Set(), opening, onFlood, count }: ServedMessages,
): void {
  const nowMs = (): number => performance.now();
  const buckets = {
    written: createTokenBucket(rates.written, nowMs),
    other: createTokenBucket(rates.other, nowMs),
    relayed: createTokenBucket(rates.relayed, nowMs),
    relayedCharacters: createTokenBucket(rates.relayedCharacters, nowMs),
    refused: createTokenBucket(rates.refused, nowMs),
    refusedCharacters: createTokenBucket(rates.refusedCharacters, nowMs),
  };
  const isWithinRate = (type: string, sent: unknown): boolean =>
    relayed.has(type)
      ? buckets.relayed.tryTake() && buckets.relayedCharacters.tryTake(sizeOf(sent))
      : buckets[writing.has(type) ? "written" : "other"].tryTake();
  const countRefused = (sent: unknown): void => {
    if (!buckets.refused.tryTake() || !buckets.refusedCharacters.tryTake(sizeOf(sent))) {
      onFlood();
    }
  };
  const namespace = socket.nsp.name;
  let opened: Promise<unknown> = Promise.resolve();
  const serve = async (type: string, handler: SocketHandler, sent: unknown): Promise<object> => {
    try {
      if (!isWithinRate(type, sent)) {
        countRefused(sent);
        throw problem("rate_limited", "Too many messages. Try again in a few seconds.");
      }
      if (!relayed.has(type)) {
        await requireCallLimit(count);
      }
      if (type !== opening) {
        await opened;
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
  socket.onAny((type, sent, reply) => {
    if (!Object.hasOwn(handlers, type) || !isReply(reply)) {
      countRefused(sent);
    }
  });
  for (const [type, handler] of Object.entries(handlers)) {
    socket.on(type, (sent: unknown, reply: unknown) => {
      if (isReply(reply)) {
        const served = serve(type, handler, sent);
        opened = type === opening ? served : opened;
        void served.then(reply);
      }
    });
  }
}

function sizeOf(sent: unknown): number {
  return JSON.stringify(sent ?? null).length;
}

/** Throws if the rate limit is exceeded. */
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

/** Authenticates the sockets of a namespace; a refused one gets a `connect_error`. */
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

/** The payload of `connect_error`; `data` equals the error of a refused acknowledgement. */
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

/** A socket as one of several on a multiplexed connection. */
export type MultiplexedSocket = Readonly<{
  conn: Readonly<{ close(): unknown }>;
  once(type: "disconnect", listener: () => void): unknown;
}>;

const socketCounts = new WeakMap<object, number>();

/** Closes a connection with its last socket: without sockets no limit would count it. */
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

/** Disconnects after the pending acknowledgement is sent. */
export function disconnectAfterReply(socket: Readonly<{ disconnect(): unknown }>): void {
  setImmediate(() => socket.disconnect());
}

/**
 * Adds a deadline for `hello`. Closes the connection instead of the socket, so that a page which
 * met a database outage reconnects automatically.
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
