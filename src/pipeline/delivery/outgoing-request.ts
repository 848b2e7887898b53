/**
 * In: a request and its options. Out: its result.
 * Guarantee: ends exactly once, at the deadline at the latest, whatever the receiver does. A
 * received status decides, whatever happens to the body.
 * On crash: nothing is stored here.
 */
import type { IncomingMessage, Agent } from "node:http";
import type { Duplex } from "node:stream";
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
import { type AnswerReader, plainHeaders, readAnswer } from "./read-answer.ts";
import { isIP } from "node:net";
import type { SecureContext } from "node:tls";
import {
  hostOf,
  portOf,
  type UrlVerdict,
  type AddressClass,
} from "../../platform/net/address-rules.ts";
import type { Agents } from "./guarded-agents.ts";

/** An allowed URL, parsed once for all its deliveries. */
export type ParsedUrl = Readonly<{
  href: string;
  addressClass: AddressClass;
  protocol: "http:" | "https:";
  host: string;
  /** Whether the host is a name that needs DNS. */
  isNamed: boolean;
  port: number;
  path: string;
  hostHeader: string;
}>;

/** The minimal options of `http.request`, which copies them several times per request. */
export type NativeOptions = {
  protocol: string;
  host: string;
  port: number;
  path: string;
  method: "POST";
  agent: Agent;
  /**
   * Name, value, name, value: Node writes such a list as it is, and keeps our spelling of names.
   */
  headers: string[];
  /** Only for requests with a client certificate. */
  secureContext?: SecureContext;
  identity?: string;
};

type RequestError = Error & { code?: string };

/** A request in flight, of any client whose stream emits Node's events. */
export type RequestStream = {
  on(event: "response", listener: (response: IncomingMessage) => void): unknown;
  on(event: "upgrade", listener: (response: IncomingMessage, socket: Duplex) => void): unknown;
  on(event: "error", listener: (error: RequestError) => void): unknown;
  destroy(): unknown;
};

/** By `performance.now()`. `answeredAt`: when the head of the answer was complete. */
export type RequestTimes = { startedAt: number; answeredAt: number | undefined };

/** The differences between HTTP clients. */
export type HttpClient<F extends RequestStream> = {
  start(target: ParsedUrl, native: NativeOptions, body: Buffer): F;
  progress(stream: F, target: ParsedUrl): ConnectionProgress;
  phases(stream: F, target: ParsedUrl, times: RequestTimes): Omit<Phases, "total">;
  /** Whether the request was sent on a pooled connection that returned no byte since. */
  isUnansweredReuse(stream: F): boolean;
};

/** `stale`: the pooled connection was already closed. `broken`: a fault of this process. */
export type RequestEnd =
  | { kind: "result"; result: SendResult }
  | { kind: "stale" }
  | { kind: "broken"; error: Error };

export type OutgoingRequestInputs<F extends RequestStream> = {
  client: HttpClient<F>;
  stream: F;
  target: ParsedUrl;
  startedAt: number;
  timeoutMs: number;
  /** Bytes kept of the answer, if not the default. */
  keptBytes: number | undefined;
  onEnd: (ending: RequestEnd) => void;
};

/** A class for speed: this runs for each delivery, and closures would be created each time. */
export class OutgoingRequest<F extends RequestStream> {
  readonly #inputs: OutgoingRequestInputs<F>;
  readonly #timer: NodeJS.Timeout;
  #hasEnded = false;
  #answer: { response: IncomingMessage; reader: AnswerReader } | undefined;
  #answeredAt: number | undefined;

  constructor(inputs: OutgoingRequestInputs<F>) {
    this.#inputs = inputs;
    const { stream } = inputs;
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
    this.#inputs.stream.destroy();
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
    const { client, stream, target } = this.#inputs;
    const failure = failureOf(error.code, client.progress(stream, target));
    if (isLocalFault(error.code)) {
      this.#end({ kind: "broken", error });
    } else if (
      failure === "reset" &&
      this.#answer === undefined &&
      client.isUnansweredReuse(stream)
    ) {
      this.#end({ kind: "stale" });
    } else {
      this.#finish(failure, error.code);
    }
  }

  /** Stops early: at the time-out, or when enough of the body was read. */
  #stop(code: string | undefined): void {
    const { client, stream, target } = this.#inputs;
    this.#finish(failureOf(code, client.progress(stream, target)));
    stream.destroy();
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
    const { client, stream, target, startedAt } = this.#inputs;
    const durationMs = Math.round(performance.now() - startedAt);
    const times = { startedAt, answeredAt: this.#answeredAt };
    return { durationMs, phases: { ...client.phases(stream, target, times), total: durationMs } };
  }

  #answered({ statusCode = 0, headers }: IncomingMessage, body: string): SendResult {
    const answer = { status: statusCode, headers: plainHeaders(headers), body };
    return { kind: "answered", ...answer, ...this.#times() };
  }

  #failed(failure: Failure, code: string | undefined): SendResult {
    return { kind: "failed", failure, detail: detailOf(failure, code), ...this.#times() };
  }
}

const maxCachedUrls = 20_000;

/** Memoizes parsed URLs. Takes allowed verdicts only. */
export function createUrlParser(): (
  verdict: Extract<UrlVerdict, { isAllowed: true }>,
) => ParsedUrl {
  const known = new Map<string, ParsedUrl>();
  return ({ href, addressClass }) => {
    const found = known.get(href);
    if (found !== undefined) {
      return found;
    }
    const url = new URL(href);
    const protocol = url.protocol === "https:" ? "https:" : "http:";
    const host = hostOf(url);
    const target: ParsedUrl = {
      href,
      addressClass,
      protocol,
      host,
      isNamed: isIP(host) === 0,
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      hostHeader: url.host,
    };
    if (known.size >= maxCachedUrls) {
      known.clear();
    }
    known.set(href, target);
    return target;
  };
}

export function nativeOptions(
  target: ParsedUrl,
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
