/** How much of a customer's address is kept: enough for a proof, too little to find a person. */
import { isIPv4 } from "node:net";

/** `203.0.113.0/24` of an IPv4 address, `2001:db8:1::/48` of the /64 that an IPv6 address is in. */
export function anonymizeNetwork(clientNetwork: string): string {
  if (isIPv4(clientNetwork)) {
    return `${clientNetwork.split(".").slice(0, 3).join(".")}.0/24`;
  }
  const groups = clientNetwork.split("::")[0]?.split(":") ?? [];
  return groups.length === 4 ? `${groups.slice(0, 3).join(":")}::/48` : "unknown";
}
