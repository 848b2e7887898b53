import { blockedTargetText } from "../../platform/net/url-rules.ts";

/** Why there was no answer. Stable words: metric labels, and kept in the ledger. */
export const failures = [
  "timeout_connect",
  "timeout_response",
  "dns",
  "refused",
  "reset",
  "unreachable",
  "tls",
  "protocol",
  "blocked_target",
  "oauth2",
  "aborted",
  "other",
] as const;

export type Failure = (typeof failures)[number];

/** How far a request had come when it failed. */
export type Progress = "resolving" | "connecting" | "waiting";

/** This process ran out of something: says nothing about the receiver, so it is no result. */
const ownCodes = new Set(["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS", "EADDRNOTAVAIL"]);

export function isOwnFault(code: string | undefined): boolean {
  return code !== undefined && ownCodes.has(code);
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

const timeoutAt: Readonly<Record<Progress, Failure>> = {
  resolving: "dns",
  connecting: "timeout_connect",
  waiting: "timeout_response",
};

export function failureOf(code: string | undefined, progress: Progress): Failure {
  if (code === undefined) {
    return "other";
  }
  if (code === "ETIMEDOUT") {
    return timeoutAt[progress];
  }
  const prefixed = classOfPrefix.find(([prefix]) => code.startsWith(prefix));
  return classOfCode[code] ?? prefixed?.[1] ?? "other";
}

const sentences: Readonly<Record<Failure, string>> = {
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
    ? sentences[failure]
    : `${sentences[failure]} (${code})`;
}
