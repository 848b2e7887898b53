import type { Agent } from "node:http";
import { isIP } from "node:net";
import type { SecureContext } from "node:tls";
import { hostOf, portOf, type UrlVerdict } from "../../platform/net/url-rules.ts";
import type { Lane } from "../../platform/net/address-rules.ts";
import type { ClientIdentity } from "./client-identity.ts";
import type { Agents } from "./guarded-agents.ts";
import type { SendRequest } from "./send-types.ts";

/** A URL that the guard let pass, taken apart once for all its deliveries. */
export type Target = Readonly<{
  href: string;
  lane: Lane;
  protocol: "http:" | "https:";
  host: string;
  /** The host is a name, so that a connection begins with DNS. */
  isNamed: boolean;
  port: number;
  path: string;
  hostHeader: string;
}>;

/** What `http.request` needs and no more: it copies these options several times per request. */
export type NativeOptions = {
  protocol: string;
  host: string;
  port: number;
  path: string;
  method: "POST";
  agent: Agent;
  /** Name, value, name, value: Node writes a list as it is, names in our spelling. */
  headers: string[];
  /** With a certificate of the subscription's own; see the agent for it. */
  secureContext?: SecureContext;
  identity?: string;
};

/** The same with a certificate, through the agent that keeps the connections of each apart. */
export function certifiedOptions(
  native: NativeOptions,
  agents: Agents,
  { name, secureContext }: ClientIdentity,
): NativeOptions {
  return { ...native, agent: agents.certified, secureContext, identity: name };
}

const maxRemembered = 20_000;

/** Remembers what it took apart. Allowed verdicts only. */
export function createTargets(): (verdict: Extract<UrlVerdict, { isAllowed: true }>) => Target {
  const known = new Map<string, Target>();
  return ({ href, lane }) => {
    const found = known.get(href);
    if (found !== undefined) {
      return found;
    }
    const url = new URL(href);
    const protocol = url.protocol === "https:" ? "https:" : "http:";
    const host = hostOf(url);
    const target: Target = {
      href,
      lane,
      protocol,
      host,
      isNamed: isIP(host) === 0,
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      hostHeader: url.host,
    };
    if (known.size >= maxRemembered) {
      known.clear();
    }
    known.set(href, target);
    return target;
  };
}

export function nativeOptions(target: Target, request: SendRequest, agents: Agents): NativeOptions {
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
    agent: agents[target.lane],
    headers,
  };
}
