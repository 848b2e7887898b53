import type { FailureClass } from "../../contracts/deliveries.ts";
import type { ClientCertificate, OAuth2Client } from "../../contracts/subscriptions.ts";
import { blockedTargetText } from "../../platform/net/address-rules.ts";

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
  /** Ends what is in flight as `aborted` and closes every connection. */
  close(): void;
};

/** Why there was no answer. A result that could not be written is none of a request's. */
export type Failure = Exclude<FailureClass, "interrupted">;

/** How far a request had come when it failed. */
export type ConnectionProgress = "resolving" | "connecting" | "waiting";

/** This process ran out of something: says nothing about the receiver, so it is no result. */
const localFaultCodes = new Set(["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS", "EADDRNOTAVAIL"]);

export function isLocalFault(code: string | undefined): boolean {
  return code !== undefined && localFaultCodes.has(code);
}

const classOfCode: Readonly<Record<string, Failure>> = {
  ESSRF: "blocked_target",
  ENOTFOUND: "dns",
  EDNSTIMEOUT: "dns",
  ENODATA: "dns",
  ECONNREFUSED: "refused",
  ECONNRESET: "reset",
  ECONNABORTED: "reset",
  EPIPE: "reset",
  EHOSTUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  ENETUNREACH: "unreachable",
  ENETDOWN: "unreachable",
  EPROTO: "tls",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls",
  SELF_SIGNED_CERT_IN_CHAIN: "tls",
  HOSTNAME_MISMATCH: "tls",
  INVALID_CA: "tls",
  INVALID_PURPOSE: "tls",
  PATH_LENGTH_EXCEEDED: "tls",
};

const classOfPrefix: readonly (readonly [prefix: string, failure: Failure])[] = [
  ["EAI_", "dns"],
  ["ERR_TLS_", "tls"],
  ["ERR_SSL_", "tls"],
  ["ERR_OSSL_", "tls"],
  ["CERT_", "tls"],
  ["CRL_", "tls"],
  ["UNABLE_TO_", "tls"],
  ["ERROR_IN_C", "tls"],
  ["HPE_", "protocol"],
];

const timeoutAt: Readonly<Record<ConnectionProgress, Failure>> = {
  resolving: "dns",
  connecting: "timeout_connect",
  waiting: "timeout_response",
};

export function failureOf(code: string | undefined, progress: ConnectionProgress): Failure {
  if (code === undefined) {
    return "other";
  }
  if (code === "ETIMEDOUT") {
    return timeoutAt[progress];
  }
  const prefixed = classOfPrefix.find(([prefix]) => code.startsWith(prefix));
  return classOfCode[code] ?? prefixed?.[1] ?? "other";
}

const failureTexts: Readonly<Record<Failure, string>> = {
  timeout_connect: "No connection in time",
  timeout_response: "No answer in time",
  dns: "The host name could not be resolved",
  refused: "The connection was refused",
  reset: "The connection was closed before an answer",
  unreachable: "The host is unreachable",
  tls: "No trusted TLS connection",
  protocol: "The answer is not valid HTTP",
  blocked_target: blockedTargetText,
  oauth2: "No access token",
  aborted: "Given up because the sender stopped",
  other: "The request failed",
};

/**
 * Made of the class and the error's code only. Messages of Node name addresses and ports, and a
 * blocked target gets no code either: one text for all of them.
 */
export function detailOf(failure: Failure, code?: string): string {
  return failure === "blocked_target" || code === undefined
    ? failureTexts[failure]
    : `${failureTexts[failure]} (${code})`;
}
