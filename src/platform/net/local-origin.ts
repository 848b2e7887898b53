import { isIPv6 } from "node:net";

/**
 * The origin at which programs on this machine reach a server that listens on `host` and `port`. It
 * has the normalised form of stored URLs: brackets around IPv6, and no default port.
 */
export function localOrigin({ host, port }: Readonly<{ host: string; port: number }>): string {
  // A zone cannot be part of a URL.
  const literal = isIPv6(host) ? `[${host.replace(/%.*$/u, "")}]` : host;
  const url = new URL(`http://${literal}:${port}`);
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") {
    url.hostname = "127.0.0.1";
  }
  return url.origin;
}
