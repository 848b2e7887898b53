import type { Agent } from "node:http";
import { isIP } from "node:net";
import { type SecureContext, createSecureContext } from "node:tls";
import {
  hostOf,
  portOf,
  type UrlVerdict,
  type AddressClass,
} from "../../platform/net/address-rules.ts";
import { type Agents, oldestTls } from "./guarded-agents.ts";
import type { SendRequest } from "./send-result.ts";
import { createHash } from "node:crypto";
import type { ClientCertificate } from "../../contracts/subscriptions.ts";

/** An allowed URL, parsed once for all its deliveries. */
export type ParsedUrl = Readonly<{
  href: string;
  addressClass: AddressClass;
  protocol: "http:" | "https:";
  host: string;
  /** Whether the host is a name that needs DNS. */
  isNamed: boolean;
  port: number;
  path: string;
  hostHeader: string;
}>;

/** The minimal options of `http.request`, which copies them several times per request. */
export type NativeOptions = {
  protocol: string;
  host: string;
  port: number;
  path: string;
  method: "POST";
  agent: Agent;
  /**
   * Name, value, name, value: Node writes such a list as it is, and keeps our spelling of names.
   */
  headers: string[];
  /** Only for requests with a client certificate. */
  secureContext?: SecureContext;
  identity?: string;
};

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

const maxCachedUrls = 20_000;

/** Memoizes parsed URLs. Takes allowed verdicts only. */
export function createUrlParser(): (
  verdict: Extract<UrlVerdict, { isAllowed: true }>,
) => ParsedUrl {
  const known = new Map<string, ParsedUrl>();
  return ({ href, addressClass }) => {
    const found = known.get(href);
    if (found !== undefined) {
      return found;
    }
    const url = new URL(href);
    const protocol = url.protocol === "https:" ? "https:" : "http:";
    const host = hostOf(url);
    const target: ParsedUrl = {
      href,
      addressClass,
      protocol,
      host,
      isNamed: isIP(host) === 0,
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      hostHeader: url.host,
    };
    if (known.size >= maxCachedUrls) {
      known.clear();
    }
    known.set(href, target);
    return target;
  };
}

export function nativeOptions(
  target: ParsedUrl,
  request: SendRequest,
  agents: Agents,
): NativeOptions {
  const headers = ["Host", target.hostHeader];
  for (const name in request.headers) {
    headers.push(name, request.headers[name] ?? "");
  }
  headers.push("Content-Length", String(request.body.length));
  return {
    protocol: target.protocol,
    host: target.host,
    port: target.port,
    path: target.path,
    method: "POST",
    agent: agents[target.addressClass],
    headers,
  };
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
