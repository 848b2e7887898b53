import type { ClientCertificate, OAuth2Client } from "../../contracts/subscriptions.ts";
import type { Failure } from "./failures.ts";

/** One request, complete: nothing is added on the way but `Host`, `Content-Length`, `Connection`. */
export type SendRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The bytes that were signed. */
  body: Buffer;
  /** A token is got with these and added as `Authorization`. The same object keeps its token. */
  oauth2?: OAuth2Client;
  /** Shown to a receiver that asks for one. The same object keeps what was made of it. */
  certificate?: ClientCertificate;
  /** How much of the answer is kept, in bytes; 4 KB where absent. */
  keptBytes?: number;
  /** For the whole exchange, where it is to end before the client's own time-out. */
  timeoutMs?: number;
};

/**
 * How long the parts took, in milliseconds. What did not happen (a reused socket) is left out.
 * `token` is the wait for an access token, before all of the others.
 */
export type Phases = {
  token?: number;
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
      /** For the subscriber's eyes: what else happened on the way to this answer. */
      note?: string;
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
