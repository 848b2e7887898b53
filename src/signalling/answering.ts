/**
 * Every message of a client is answered, and counted: with what the handler returns, or with a
 * problem. What nobody waits for an answer to is not looked at.
 */
import { problem, type Problem } from "../contracts/problems.ts";
import type { Refused } from "../contracts/signalling.ts";
import { describeError, toProblem } from "../http/faults.ts";
import { rateLimited } from "../http/limits.ts";
import type { Verdict } from "../http/rate-limit.ts";
import { createBucket } from "./bucket.ts";
import { toGiven, type Given } from "./given.ts";
import type { SignallingDeps } from "./ports.ts";
import { maySignIn, type SigningIn } from "./sign-ins.ts";

/** Whatever a client may send: nothing is known of it before it was looked at. */
export type ClientMessages = Record<string, (sent: unknown, reply: unknown) => void>;

/** The part of a socket that takes messages. */
export type Listening = Readonly<{
  nsp: Readonly<{ name: string }>;
  on(type: string, listener: ClientMessages[string]): unknown;
}>;

export type Handler = (given: Given) => Promise<object>;

export type Handlers = Readonly<Record<string, Handler>>;

type Deps = Pick<SignallingDeps, "log" | "metrics">;

export type Served = Readonly<{
  handlers: Handlers;
  /** Those that reach other people. */
  writing: ReadonlySet<string>;
  /** Counts one with all else that its sender asks of the platform. */
  count(): Promise<Verdict>;
}>;

type Admission = Error & { data?: unknown };

/**
 * Of one socket: enough for the quickest hand; a program that goes on and on is told to wait. What
 * somebody may ask with all of their sockets is counted besides.
 */
const rates = {
  written: { size: 20, perSecond: 2 },
  other: { size: 60, perSecond: 10 },
};

/** Serves these messages on a socket. */
export function answer(deps: Deps, socket: Listening, { handlers, writing, count }: Served): void {
  const nowMs = (): number => performance.now();
  const buckets = {
    written: createBucket(rates.written, nowMs),
    other: createBucket(rates.other, nowMs),
  };
  const namespace = socket.nsp.name;
  const serve = async (type: string, handler: Handler, sent: unknown): Promise<object> => {
    try {
      if (!(writing.has(type) ? buckets.written : buckets.other).take()) {
        throw problem("rate_limited", "Too many messages. Try again in a few seconds.");
      }
      await requireCalls(count);
      const result = await handler(toGiven(sent));
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
export async function requireCalls(count: Served["count"]): Promise<void> {
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
  use(step: (socket: S, next: (refused?: Admission) => void) => void): unknown;
}>;

/** Lets sockets into a namespace, or tells them why not. */
export function letIn<S extends SigningIn>(
  deps: Deps,
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
  { log }: Pick<Deps, "log">,
  fields: Readonly<Record<string, unknown>>,
  thrown: unknown,
): Problem {
  const found = toProblem(thrown);
  if (found.kind === "internal") {
    log.error({ ...fields, err: describeError(found.cause ?? thrown) }, "signalling.failed");
  } else if (found.kind === "dependency_down") {
    log.warn({ ...fields, reason: describeError(thrown)["message"] }, "signalling.unavailable");
  }
  return found;
}

/** What `connect_error` carries: `data` is the same as in a refused acknowledgement. */
function connectError(found: Problem): Error {
  return Object.assign(new Error(found.kind), { data: refusal(found).error });
}

function refusal({ kind, message }: Problem): Refused {
  return {
    ok: false,
    error: { kind, detail: message },
  };
}
