import type { Failure } from "./failures.ts";

/** One request, complete: nothing is added on the way but `Host`, `Content-Length`, `Connection`. */
export type SendRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The bytes that were signed. */
  body: Buffer;
};

/** How long the parts took, in milliseconds. What did not happen (a reused socket) is left out. */
export type Phases = {
  dns?: number;
  connect?: number;
  tls?: number;
  firstByte?: number;
  total: number;
};

/** `body` is what can be shown of the answer: its first 4 KB, as text. */
export type SendResult =
  | {
      kind: "answered";
      status: number;
      headers: Record<string, string>;
      body: string;
      durationMs: number;
      phases: Phases;
    }
  | {
      kind: "failed";
      failure: Failure;
      /** For the subscriber's eyes: never says more than its class about our own network. */
      detail: string;
      durationMs: number;
      phases: Phases;
    };

/**
 * Sends a request once. Resolves for anything a receiver or the way to it did, within the time-out;
 * rejects only when this process itself cannot send (out of sockets, out of memory).
 */
export type Send = (request: SendRequest, signal?: AbortSignal) => Promise<SendResult>;

export type SendClient = {
  send: Send;
  /** Ends what is in flight as `aborted` and lets go of every connection. */
  close(): void;
};
