import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Cidr = [Address, number];

/**
 * All addresses ever given out to the public. Asking for this range, and not only for what
 * ipaddr.js calls unicast, also refuses `::/96`, where `::127.0.0.1` is loopback in old clothes.
 */
const globalV6: Cidr = ipaddr.parseCIDR("2000::/3");

/**
 * An address of the public internet. Whatever embeds another address (mapped, NAT64, 6to4, Teredo)
 * is refused by its range, so nothing has to be unwrapped.
 */
export function isPublicAddress(address: Address): boolean {
  return (
    address.range() === "unicast" &&
    (address.kind() === "ipv4" || isInRange(address, globalV6)) &&
    !isMetadata(address)
  );
}

const localKinds = new Set<string>(["loopback", "private", "uniqueLocal"]);

/** Loopback and private networks. Link-local is none of them: cloud metadata lives there. */
export function isLocalAddress(address: Address): boolean {
  return localKinds.has(address.range()) && !isMetadata(address);
}

/** Hand out credentials or control a host, and lie in ranges that look harmless. */
const metadataRanges = cidrs("168.63.129.16/32", "fd00:ec2::/32");

function isMetadata(address: Address): boolean {
  return metadataRanges.some((range) => isInRange(address, range));
}

/** True when the address lies in the range. Ranges of the other family never match. */
export function isInRange(address: Address, [base, bits]: Cidr): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

/** The parsed address, or undefined for anything but the plain notation of one. */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text);
  }
  // A zone id names an interface of this machine: nothing a receiver's address may choose.
  return text.includes(":") && !text.includes("%") && ipaddr.IPv6.isValid(text)
    ? ipaddr.IPv6.parse(text)
    : undefined;
}

/** Ports above 1023 where something listens that obeys whoever can reach it. */
const dangerousPorts = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 5985,
  5986, 6379, 6443, 7000, 7001, 9042, 9200, 9300, 10250, 10255, 11211, 27017, 27018, 27019,
]);

export function isPublicPort(port: number): boolean {
  return isWebPort(port) && !dangerousPorts.has(port);
}

export function isWebPort(port: number): boolean {
  return port === 443 || port === 80 || port >= 1024;
}

function cidrs(...texts: readonly string[]): Cidr[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}
