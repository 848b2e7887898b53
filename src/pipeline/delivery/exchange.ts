/**
 * In: a request that has been started. Out: how it ended.
 * Guarantee: ends exactly once, at the deadline at the latest, whatever the receiver does;
 * a status that has come decides, however its body goes on.
 * On crash: nothing is kept here.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { plainHeaders, readAnswer, type AnswerReader } from "./answer.ts";
import { detailOf, failureOf, isOwnFault, type Failure, type Progress } from "./failures.ts";
import type { NativeOptions, Target } from "./native-options.ts";
import type { Phases, SendResult } from "./send-types.ts";

type FlightError = Error & { code?: string };

/** One HTTP request under way, of any client whose streams speak the events of Node's. */
export type Flight = {
  on(event: "response", listener: (response: IncomingMessage) => void): unknown;
  on(event: "upgrade", listener: (response: IncomingMessage, socket: Duplex) => void): unknown;
  on(event: "error", listener: (error: FlightError) => void): unknown;
  destroy(): unknown;
};

/** What HTTP clients differ in here. */
export type HttpClient<F extends Flight> = {
  start(target: Target, native: NativeOptions, body: Buffer): F;
  progress(flight: F, target: Target): Progress;
  phases(flight: F, target: Target): Omit<Phases, "total">;
  /** The request went out on a pooled connection, and not one byte has come back on it. */
  isUnansweredReuse(flight: F): boolean;
};

/** `stale`: a pooled connection turned out to be closed. `broken`: a fault of this process. */
export type Ending =
  | { kind: "result"; result: SendResult }
  | { kind: "stale" }
  | { kind: "broken"; error: Error };

export type ExchangeInputs<F extends Flight> = {
  client: HttpClient<F>;
  flight: F;
  target: Target;
  startedAt: number;
  timeoutMs: number;
  /** How much of the answer is kept, where it is not what is kept of others. */
  keptBytes: number | undefined;
  onEnd: (ending: Ending) => void;
};

/**
 * A class, and not closures, because this runs for each delivery: closures with names are given
 * them one by one at run time by the TypeScript loader, which costs more than they do.
 */
export class Exchange<F extends Flight> {
  readonly #inputs: ExchangeInputs<F>;
  readonly #timer: NodeJS.Timeout;
  #hasEnded = false;
  #answer: { response: IncomingMessage; reader: AnswerReader } | undefined;

  constructor(inputs: ExchangeInputs<F>) {
    this.#inputs = inputs;
    const { flight } = inputs;
    this.#timer = setTimeout(() => this.#cut("ETIMEDOUT"), inputs.timeoutMs);
    flight.on("response", (response) => this.#read(response));
    // 101, though no upgrade was asked for: the socket is ours to close, and no answer follows.
    flight.on("upgrade", (response, socket) => {
      socket.destroy();
      this.#end({ kind: "result", result: this.#answered(response, "") });
    });
    flight.on("error", (error) => this.#fail(error));
  }

  /** Ends it as `aborted`, or with the status that has come already. */
  abort(): void {
    this.#conclude("aborted");
    this.#inputs.flight.destroy();
  }

  /** For `AbortSignal`. */
  handleEvent(): void {
    this.abort();
  }

  #read(response: IncomingMessage): void {
    const reader = readAnswer(response, () => this.#cut(undefined), this.#inputs.keptBytes);
    this.#answer = { response, reader };
    // `close` without `end`: the body was cut off, but the status counts.
    response.once("end", () => this.#conclude("other"));
    response.once("close", () => this.#conclude("other"));
  }

  #fail(error: FlightError): void {
    const { client, flight, target } = this.#inputs;
    const failure = failureOf(error.code, client.progress(flight, target));
    if (isOwnFault(error.code)) {
      this.#end({ kind: "broken", error });
    } else if (
      failure === "reset" &&
      this.#answer === undefined &&
      client.isUnansweredReuse(flight)
    ) {
      this.#end({ kind: "stale" });
    } else {
      this.#conclude(failure, error.code);
    }
  }

  /** Stops the flight: it took too long, or has said enough. */
  #cut(code: string | undefined): void {
    const { client, flight, target } = this.#inputs;
    this.#conclude(failureOf(code, client.progress(flight, target)));
    flight.destroy();
  }

  /** With what is known now: the status if there is one, else the failure. */
  #conclude(failure: Failure, code?: string): void {
    if (this.#hasEnded) {
      return;
    }
    const result =
      this.#answer === undefined
        ? this.#failed(failure, code)
        : this.#answered(this.#answer.response, this.#answer.reader.text());
    this.#end({ kind: "result", result });
  }

  #end(ending: Ending): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      clearTimeout(this.#timer);
      this.#inputs.onEnd(ending);
    }
  }

  #times(): { durationMs: number; phases: Phases } {
    const { client, flight, target, startedAt } = this.#inputs;
    const durationMs = Math.round(performance.now() - startedAt);
    return { durationMs, phases: { ...client.phases(flight, target), total: durationMs } };
  }

  #answered({ statusCode = 0, headers }: IncomingMessage, body: string): SendResult {
    const answer = { status: statusCode, headers: plainHeaders(headers), body };
    return { kind: "answered", ...answer, ...this.#times() };
  }

  #failed(failure: Failure, code: string | undefined): SendResult {
    return { kind: "failed", failure, detail: detailOf(failure, code), ...this.#times() };
  }
}
