/**
 * In: a started request. Out: its result.
 * Guarantee: ends exactly once, at the deadline at the latest, whatever the receiver does. A
 * received status decides, whatever happens to the body.
 * On crash: nothing is stored here.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  detailOf,
  failureOf,
  isLocalFault,
  type Failure,
  type ConnectionProgress,
  type Phases,
  type SendResult,
} from "./send-result.ts";
import type { NativeOptions, ParsedUrl } from "./request-options.ts";

type RequestError = Error & { code?: string };

/** A request in flight, of any client whose stream emits Node's events. */
export type RequestStream = {
  on(event: "response", listener: (response: IncomingMessage) => void): unknown;
  on(event: "upgrade", listener: (response: IncomingMessage, socket: Duplex) => void): unknown;
  on(event: "error", listener: (error: RequestError) => void): unknown;
  destroy(): unknown;
};

/** The differences between HTTP clients. */
export type HttpClient<F extends RequestStream> = {
  start(target: ParsedUrl, native: NativeOptions, body: Buffer): F;
  progress(stream: F, target: ParsedUrl): ConnectionProgress;
  phases(stream: F, target: ParsedUrl): Omit<Phases, "total">;
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

/**
 * A class for speed: this runs for each delivery, and at run time the TypeScript loader assigns
 * names to closures one by one.
 */
export class OutgoingRequest<F extends RequestStream> {
  readonly #inputs: OutgoingRequestInputs<F>;
  readonly #timer: NodeJS.Timeout;
  #hasEnded = false;
  #answer: { response: IncomingMessage; reader: AnswerReader } | undefined;

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
    return { durationMs, phases: { ...client.phases(stream, target), total: durationMs } };
  }

  #answered({ statusCode = 0, headers }: IncomingMessage, body: string): SendResult {
    const answer = { status: statusCode, headers: plainHeaders(headers), body };
    return { kind: "answered", ...answer, ...this.#times() };
  }

  #failed(failure: Failure, code: string | undefined): SendResult {
    return { kind: "failed", failure, detail: detailOf(failure, code), ...this.#times() };
  }
}

/** Bytes read of an answer before the connection is closed. */
export const maxAnswerBytes = 64 * 1024;

/** Bytes kept of an answer. */
export const keptAnswerBytes = 4 * 1024;

export type AnswerReader = {
  /** The kept part of the body, as text. */
  text(): string;
};

/** `Set-Cookie` is the only header that Node returns as a list. */
export function plainHeaders(headers: IncomingMessage["headers"]): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) {
      plain[name] = typeof value === "string" ? value : value.join(", ");
    }
  }
  return plain;
}

/**
 * Reads an answer: keeps its start, counts the rest, and calls `onEnough` once at the limit.
 * Compressed bodies are never decompressed, which prevents decompression bombs; their text is
 * empty.
 */
export function readAnswer(
  response: IncomingMessage,
  onEnough: () => void,
  keptBytes: number = keptAnswerBytes,
): AnswerReader {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  const take = (chunk: Buffer): void => {
    if (receivedBytes < keptBytes) {
      chunks.push(chunk);
    }
    const wasEnough = receivedBytes > maxAnswerBytes;
    receivedBytes += chunk.length;
    if (receivedBytes > maxAnswerBytes && !wasEnough) {
      onEnough();
    }
  };
  response.on("readable", () => {
    for (let chunk: unknown = response.read(); chunk !== null; chunk = response.read()) {
      take(chunk as Buffer);
    }
  });
  return {
    text: () => {
      const encoding = response.headers["content-encoding"];
      const isPlain = encoding === undefined || encoding === "identity";
      return isPlain && receivedBytes > 0 ? toText({ chunks, receivedBytes, keptBytes }) : "";
    },
  };
}

type AnswerChunks = { chunks: readonly Buffer[]; receivedBytes: number; keptBytes: number };

function toText({ chunks, receivedBytes, keptBytes }: AnswerChunks): string {
  const kept = Buffer.concat(chunks).subarray(0, keptBytes).toString("utf8");
  // Drops a character cut in half; NUL is replaced because Postgres text refuses it.
  const whole = receivedBytes > keptBytes ? kept.replace(/\uFFFD$/u, "") : kept;
  return whole.includes("\0") ? whole.replaceAll("\0", "\uFFFD") : whole;
}
