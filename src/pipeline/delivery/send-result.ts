import type { FailureClass } from "../../contracts/deliveries.ts";
import type { ClientCertificate, OAuth2Client } from "../../contracts/subscriptions.ts";
import { blockedTargetText } from "../../platform/net/address-rules.ts";

/** A complete request: only `Host`, `Content-Length` and `Connection` are added. */
export type SendRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The exact bytes that were signed. */
  body: Buffer;
  /** Credentials for the access token in `Authorization`. The token is cached per object. */
  oauth2?: OAuth2Client;
  /**
   * Asked before a request that starts late, because it waited for a token. False: do not send it.
   * Answers within this time.
   */
  isStillOn?: (withinMs: number) => Promise<boolean>;
  /** The client certificate. Its TLS context is cached per object. */
  certificate?: ClientCertificate;
  /** Bytes kept of the answer; 4 KB by default. */
  keptBytes?: number;
  /** Time-out of the whole request, if shorter than the client's. */
  timeoutMs?: number;
};

/**
 * Durations in milliseconds. Skipped phases, as on a reused socket, are absent. `token` is the wait
 * for an access token, before all others.
 */
export type Phases = {
  token?: number;
  dns?: number;
  connect?: number;
  tls?: number;
  firstByte?: number;
  total: number;
};

/** `body` is the kept part of the answer as text, by default 4 KB. */
export type SendResult =
  | {
      kind: "answered";
      status: number;
      headers: Record<string, string>;
      body: string;
      durationMs: number;
      phases: Phases;
      /** A remark for the subscriber about this attempt. */
      note?: string;
    }
  | {
      kind: "failed";
      failure: Failure;
      /** A text for the subscriber: reveals only the failure class, nothing about our network. */
      detail: string;
      durationMs: number;
      phases: Phases;
    };

/**
 * Sends a request once. A failure of the receiver or the network is a result; rejects only if this
 * process cannot send (out of sockets or memory).
 */
export type Send = (request: SendRequest, signal?: AbortSignal) => Promise<SendResult>;

export type SendClient = {
  send: Send;
  /** Aborts all requests in flight and closes every connection. */
  close(): void;
};

/** Failure classes of a request. `interrupted` describes an unknown result. */
export type Failure = Exclude<FailureClass, "interrupted">;

/** How far a failed request had come. */
export type ConnectionProgress = "resolving" | "connecting" | "waiting";

/** This process ran out of a resource: not a result, because it says nothing about the receiver. */
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
  timeout_connect: "Connection timed out",
  timeout_response: "Response timed out",
  dns: "The host name could not be resolved",
  refused: "The connection was refused",
  reset: "The connection was closed before a response",
  unreachable: "The host is unreachable",
  tls: "The TLS connection could not be established or is not trusted",
  protocol: "The response is not valid HTTP",
  blocked_target: blockedTargetText,
  oauth2: "No access token",
  aborted: "Aborted because the sending process stopped",
  other: "The request failed",
};

/**
 * Contains only the failure class and the error code: Node's messages contain addresses and ports.
 * A blocked target gets no code either, so that all of them look the same.
 */
export function detailOf(failure: Failure, code?: string): string {
  return failure === "blocked_target" || code === undefined
    ? failureTexts[failure]
    : `${failureTexts[failure]} (${code})`;
}
