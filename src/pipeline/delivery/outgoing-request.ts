/**
 * In: a request and its options. Out: its result.
 * Guarantee: ends exactly once, at the deadline at the latest, whatever the receiver does. A
 * received status decides, whatever happens to the body.
 * On crash: nothing is stored here.
 */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { SecureContext } from "node:tls";
import type { AllowedUrl } from "../../platform/net/address-guard.ts";
import { type Agents, connectionTimes, isUnansweredReuse } from "./guarded-agents.ts";
import { type AnswerReader, plainHeaders, readAnswer } from "./read-answer.ts";
import {
  detailOf,
  failureOf,
  isLocalFault,
  type Failure,
  type ConnectionProgress,
  type Phases,
  type SendResult,
  type SendRequest,
} from "./send-result.ts";

/** The minimal options of `http.request`, which copies them several times per request. */
export type NativeOptions = {
  protocol: string;
  host: string;
  port: number;
  path: string;
  method: "POST";
  agent: http.Agent;
  /**
   * Name, value, name, value: Node writes such a list as it is, and keeps our spelling of names.
   */
  headers: string[];
  /** Only for requests with a client certificate. */
  secureContext?: SecureContext;
  identity?: string;
};

type RequestError = Error & { code?: string };

/** `stale`: the pooled connection was already closed. `broken`: a fault of this process. */
export type RequestEnd =
  | { kind: "result"; result: SendResult }
  | { kind: "stale" }
  | { kind: "broken"; error: Error };

export type OutgoingRequestInputs = {
  target: AllowedUrl;
  native: NativeOptions;
  body: Buffer;
  /** By `performance.now()`. */
  startedAt: number;
  timeoutMs: number;
  /** Bytes kept of the answer, if not the default. */
  keptBytes: number | undefined;
  onEnd: (ending: RequestEnd) => void;
};

/** A class for speed: this runs for each delivery, and closures would be created each time. */
export class OutgoingRequest {
  readonly #inputs: OutgoingRequestInputs;
  readonly #stream: http.ClientRequest;
  readonly #timer: NodeJS.Timeout;
  #hasEnded = false;
  #answer: { response: IncomingMessage; reader: AnswerReader } | undefined;
  #answeredAt: number | undefined;

  /** Sends it. Throws if Node refuses the headers. */
  constructor(inputs: OutgoingRequestInputs) {
    this.#inputs = inputs;
    const { native, body } = inputs;
    const stream = native.protocol === "https:" ? https.request(native) : http.request(native);
    stream.end(body);
    this.#stream = stream;
    this.#timer = setTimeout(() => this.#stop("ETIMEDOUT"), inputs.timeoutMs);
    stream.on("response", (response) => this.#read(response));
    // 101 was not requested: we close the socket, and no answer follows.
    stream.on("upgrade", (response, socket) => {
      socket.destroy();
      this.#end({ kind: "result", result: this.#answered(response, "") });
    });
    stream.on("error", (error) => this.#fail(error));
  }

  /** Ends it as `aborted`, or with the status if one was received. */
  abort(): void {
    this.#finish("aborted");
    this.#stream.destroy();
  }

  /** For `AbortSignal`. */
  handleEvent(): void {
    this.abort();
  }

  #read(response: IncomingMessage): void {
    this.#answeredAt = performance.now();
    const reader = readAnswer(response, () => this.#stop(undefined), this.#inputs.keptBytes);
    this.#answer = { response, reader };
    // `close` without `end`: the body was cut off, but the status counts.
    response.once("end", () => this.#finish("other"));
    response.once("close", () => this.#finish("other"));
  }

  #fail(error: RequestError): void {
    const stream = this.#stream;
    const failure = failureOf(error.code, progressOf(stream, this.#inputs.target));
    if (isLocalFault(error.code)) {
      this.#end({ kind: "broken", error });
    } else if (
      failure === "reset" &&
      this.#answer === undefined &&
      stream.reusedSocket &&
      isUnansweredReuse(stream.socket)
    ) {
      this.#end({ kind: "stale" });
    } else {
      this.#finish(failure, error.code);
    }
  }

  /** Stops early: at the time-out, or when enough of the body was read. */
  #stop(code: string | undefined): void {
    this.#finish(failureOf(code, progressOf(this.#stream, this.#inputs.target)));
    this.#stream.destroy();
  }

  /** Ends with the status if one was received, else with the failure. */
  #finish(failure: Failure, code?: string): void {
    if (this.#hasEnded) {
      return;
    }
    const result =
      this.#answer === undefined
        ? this.#failed(failure, code)
        : this.#answered(this.#answer.response, this.#answer.reader.text());
    this.#end({ kind: "result", result });
  }

  #end(ending: RequestEnd): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      clearTimeout(this.#timer);
      this.#inputs.onEnd(ending);
    }
  }

  #times(): { durationMs: number; phases: Phases } {
    const { target, startedAt } = this.#inputs;
    const durationMs = Math.round(performance.now() - startedAt);
    const times = { startedAt, answeredAt: this.#answeredAt };
    return { durationMs, phases: phasesOf(this.#stream, target, times, durationMs) };
  }

  #answered({ statusCode = 0, headers }: IncomingMessage, body: string): SendResult {
    const answer = { status: statusCode, headers: plainHeaders(headers), body };
    return { kind: "answered", ...answer, ...this.#times() };
  }

  #failed(failure: Failure, code: string | undefined): SendResult {
    return { kind: "failed", failure, detail: detailOf(failure, code), ...this.#times() };
  }
}

/** How far a request has come. */
function progressOf(
  { socket }: http.ClientRequest,
  { isNamed, protocol }: AllowedUrl,
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
  { isNamed }: AllowedUrl,
  { startedAt, answeredAt }: { startedAt: number; answeredAt: number | undefined },
  total: number,
): Phases {
  if (reusedSocket) {
    return Object.assign({}, phase("firstByte", startedAt, answeredAt), { total });
  }
  const { dialledAt, resolvedAt, connectedAt, securedAt } = connectionTimes(socket) ?? {};
  const dns = isNamed ? phase("dns", dialledAt, resolvedAt) : {};
  const connect = phase("connect", resolvedAt ?? dialledAt, connectedAt);
  const connected = Object.assign({}, dns, connect, phase("tls", connectedAt, securedAt));
  const firstByte = phase("firstByte", securedAt ?? connectedAt, answeredAt);
  return Object.assign(connected, firstByte, { total });
}

function phase(name: keyof Phases, from: number | undefined, to: number | undefined) {
  return from === undefined || to === undefined
    ? {}
    : { [name]: Math.max(0, Math.round(to - from)) };
}

export function nativeOptions(
  target: AllowedUrl,
  request: SendRequest,
  agents: Agents,
): NativeOptions {
  const headers = ["Host", target.hostHeader];
  for (const name in request.headers) {
    headers.push(name, request.headers[name] ?? "");
  }
  headers.push("Content-Length", String(request.body.length));
  return {
    protocol: target.protocol,
    host: target.host,
    port: target.port,
    path: target.path,
    method: "POST",
    agent: agents[target.addressClass],
    headers,
  };
}
