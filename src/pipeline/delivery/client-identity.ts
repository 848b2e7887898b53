import { createHash } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { ClientCertificate } from "../../contracts/subscriptions.ts";
import { oldestTls } from "./guarded-agents.ts";

/** What a TLS connection shows of a subscription, and whom it trusts. */
export type ClientIdentity = Readonly<{
  /** The same for the same certificate, key and authority only. */
  name: string;
  secureContext: SecureContext;
}>;

/**
 * Reads certificates, each object once; what was made of it goes with it. `ca` is trusted where a
 * certificate brings none, instead of the system's. Undefined for what is no certificate with its
 * key.
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
      return { name: nameOf(certificate), secureContext };
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

function nameOf({ certificate, key, ca }: ClientCertificate): string {
  return createHash("sha256")
    .update(JSON.stringify([certificate, key, ca]))
    .digest("base64url");
}
