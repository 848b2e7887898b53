/** Client certificates of subscriptions. */
import { createHash } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { ClientCertificate } from "../../contracts/subscriptions.ts";
import { type Agents, oldestTls } from "./guarded-agents.ts";
import type { NativeOptions } from "./outgoing-request.ts";

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
 * Parses certificates, memoized per object. The `ca` of a certificate, or else this one, is trusted
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
