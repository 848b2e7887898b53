/** Node's HTTP client: how a request is started, how far it is, and how long its phases took. */
import { createHash } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";
import type { ClientCertificate } from "../../contracts/subscriptions.ts";
import { type Agents, connectionTimes, isUnansweredReuse, oldestTls } from "./guarded-agents.ts";
import type { HttpClient, NativeOptions, ParsedUrl, RequestTimes } from "./outgoing-request.ts";
import type { ConnectionProgress, Phases } from "./send-result.ts";

export const nodeClient: HttpClient<http.ClientRequest> = {
  start: (_target, native, body) => {
    const stream = native.protocol === "https:" ? https.request(native) : http.request(native);
    stream.end(body);
    return stream;
  },
  progress: progressOf,
  phases: phasesOf,
  isUnansweredReuse: ({ reusedSocket, socket }) => reusedSocket && isUnansweredReuse(socket),
};

function progressOf(
  { socket }: http.ClientRequest,
  { isNamed, protocol }: ParsedUrl,
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
  { isNamed }: ParsedUrl,
  { startedAt, answeredAt }: RequestTimes,
): Omit<Phases, "total"> {
  if (reusedSocket) {
    return phase("firstByte", startedAt, answeredAt);
  }
  const { dialledAt, resolvedAt, connectedAt, securedAt } = connectionTimes(socket) ?? {};
  return {
    ...(isNamed ? phase("dns", dialledAt, resolvedAt) : {}),
    ...phase("connect", resolvedAt ?? dialledAt, connectedAt),
    ...phase("tls", connectedAt, securedAt),
    ...phase("firstByte", securedAt ?? connectedAt, answeredAt),
  };
}

function phase(name: keyof Phases, from: number | undefined, to: number | undefined) {
  return from === undefined || to === undefined
    ? {}
    : { [name]: Math.max(0, Math.round(to - from)) };
}

/** The TLS identity of a subscription and the CA it trusts. */
export type ClientIdentity = Readonly<{
  /** Equal only for the same certificate, key and CA. */
  fingerprint: string;
  secureContext: SecureContext;
}>;

/** Adds the client certificate and the agent that separates connections by certificate. */
export function withClientIdentity(
  native: NativeOptions,
  agents: Agents,
  { fingerprint, secureContext }: ClientIdentity,
): NativeOptions {
  return { ...native, agent: agents.certified, secureContext, identity: fingerprint };
}

/**
 * Parses certificates, memoized per object. `ca` is trusted if a certificate has none of its own,
 * instead of the system's. Undefined for an invalid certificate or key.
 */
export function createClientIdentities(
  ca: string | undefined,
): (certificate: ClientCertificate) => ClientIdentity | undefined {
  const known = new WeakMap<ClientCertificate, ClientIdentity>();
  const read = (certificate: ClientCertificate): ClientIdentity | undefined => {
    const trusted = certificate.ca ?? ca;
    try {
      const secureContext = createSecureContext({
        cert: certificate.certificate,
        key: certificate.key,
        minVersion: oldestTls,
        ...(trusted === undefined ? {} : { ca: trusted }),
      });
      return { fingerprint: fingerprintOf(certificate), secureContext };
    } catch {
      return undefined;
    }
  };
  return (certificate) => {
    const identity = known.get(certificate) ?? read(certificate);
    if (identity !== undefined) {
      known.set(certificate, identity);
    }
    return identity;
  };
}

function fingerprintOf({ certificate, key, ca }: ClientCertificate): string {
  return createHash("sha256")
    .update(JSON.stringify([certificate, key, ca]))
    .digest("base64url");
}
