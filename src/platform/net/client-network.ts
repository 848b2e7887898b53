import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The address that identifies one client. IPv6 is cut to /64, of which a customer has at least one
 * and could otherwise use a new address per request; an IPv4-mapped address becomes IPv4.
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
 * A wider network, from which one customer of a hosting provider can use many addresses. Only for
 * fairness: decides who is served next, and who is dropped from a full queue.
 */
export function networkBlock(network: string): string {
  const v6 = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/u.exec(network)?.[1];
  if (v6 !== undefined) {
    return `${v6}::/48`;
  }
  return isIP(network) === 4 ? `${network.slice(0, network.lastIndexOf("."))}.0/24` : network;
}
