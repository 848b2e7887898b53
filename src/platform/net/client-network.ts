import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * What counts as one client address. An IPv6 customer has at least a /64 and could use a new
 * address for every request; an IPv4 address in its mapped form is the IPv4 address.
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined || isIP(address) === 0) {
    return "unknown";
  }
  const parsed = ipaddr.process(address.replace(/%.*$/u, ""));
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(":")}::/64`
    : parsed.toString();
}

/**
 * The wider network around a `clientNetwork`: what one customer of a hoster can use many addresses
 * of. For fairness only: it decides whose turn it is, and who leaves where all is full.
 */
export function networkBlock(network: string): string {
  const v6 = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/u.exec(network)?.[1];
  if (v6 !== undefined) {
    return `${v6}::/48`;
  }
  return isIP(network) === 4 ? `${network.slice(0, network.lastIndexOf("."))}.0/24` : network;
}
