import ipaddr from "ipaddr.js";

/**
 * Selects the rules of a request. Each class has its own connection pools, so that a connection is
 * never reused under other rules.
 */
export type AddressClass = "https" | "http" | "inbox";

export type AddressRules = {
  isAddressAllowed(address: string, port: number, addressClass: AddressClass): boolean;
  /** False if no address may be reached on that port: checked before DNS. */
  isPortPossible(port: number, addressClass: AddressClass): boolean;
  /** Whether plain http is allowed to any address. */
  readonly isHttpPossible: boolean;
};

/** An allowed private range with one port. */
export type AllowedRange = Readonly<{ cidr: string; port: number }>;

export type AddressExceptions = {
  areLocalReceiversAllowed: boolean;
  allowList: readonly AllowedRange[];
  inbox: InboxRule;
};

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

type Cidr = [IpAddress, number];

/** The built-in receiver, which is allowed without configuration. */
export type InboxRule = {
  isUrl(url: URL): boolean;
  isAddress(address: string, port: number): boolean;
};

type ParsedInboxPrefix = { prefix: string; address: string; port: number };

export type UrlFault = "format" | "scheme" | "userinfo" | "fragment" | "port" | "blocked_target";

export type UrlVerdict =
  | { isAllowed: true; href: string; addressClass: AddressClass }
  | { isAllowed: false; reason: UrlFault; detail: string };

/** One text for every blocked address: details would reveal the internal network. */
export const blockedTargetText = "Webhooks may not be sent to this address.";

export const blockedVerdict = refusal("blocked_target", blockedTargetText);

export function createAddressRules(exceptions: AddressExceptions): AddressRules {
  const { areLocalReceiversAllowed, inbox } = exceptions;
  const allowList = exceptions.allowList.map(({ cidr, port }) => ({
    range: ipaddr.parseCIDR(cidr),
    port,
  }));
  return {
    isHttpPossible: areLocalReceiversAllowed || allowList.length > 0,
    isPortPossible: (port, addressClass) =>
      (addressClass === "https" && isPublicPort(port)) ||
      (areLocalReceiversAllowed && isWebPort(port)) ||
      allowList.some((entry) => entry.port === port),
    isAddressAllowed: (text, port, addressClass) => {
      if (addressClass === "inbox") {
        return inbox.isAddress(text, port);
      }
      const address = parseAddress(text);
      if (address === undefined) {
        return false;
      }
      return (
        (addressClass === "https" && isPublicPort(port) && isPublicAddress(address)) ||
        (areLocalReceiversAllowed && isWebPort(port) && isLocalAddress(address)) ||
        allowList.some((entry) => entry.port === port && isInRange(address, entry.range))
      );
    },
  };
}

/** Ports above 1023 of services that accept commands without authentication. */
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

/**
 * All assigned public addresses. Narrower than what ipaddr.js calls unicast: also refuses `::/96`,
 * where `::127.0.0.1` is loopback.
 */
const globalV6: Cidr = ipaddr.parseCIDR("2000::/3");

/**
 * A public address. Addresses that embed another one (mapped, NAT64, 6to4, Teredo) are refused by
 * range, so they need not be unwrapped.
 */
export function isPublicAddress(address: IpAddress): boolean {
  return (
    address.range() === "unicast" &&
    (address.kind() === "ipv4" || isInRange(address, globalV6)) &&
    !isMetadata(address)
  );
}

const localKinds = new Set<string>(["loopback", "private", "uniqueLocal"]);

/** Loopback and private networks, without link-local: cloud metadata is there. */
export function isLocalAddress(address: IpAddress): boolean {
  return localKinds.has(address.range()) && !isMetadata(address);
}

/** Services that issue credentials or control a host, in ranges that are otherwise allowed. */
const metadataRanges = cidrs("168.63.129.16/32", "fd00:ec2::/32");

function isMetadata(address: IpAddress): boolean {
  return metadataRanges.some((range) => isInRange(address, range));
}

/** Whether the address lies in the range. A range of the other family never matches. */
function isInRange(address: IpAddress, [base, bits]: Cidr): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

/**
 * The path after the prefix: one key, and a query. No escapes, which could be decoded differently.
 */
const keyAndQuery = /^[A-Za-z0-9_-]+(?:\?[^#]*)?$/u;

export function createInboxRule(
  prefix: string | (() => string | undefined) | undefined,
): InboxRule {
  let known: { text: string | undefined; inbox: ParsedInboxPrefix | undefined } | undefined;
  const current = (): ParsedInboxPrefix | undefined => {
    const text = typeof prefix === "function" ? prefix() : prefix;
    if (known === undefined || known.text !== text) {
      known = { text, inbox: text === undefined ? undefined : parsePrefix(text) };
    }
    return known.inbox;
  };
  return {
    isUrl: (url) => {
      const inbox = current();
      return (
        inbox !== undefined &&
        url.href.startsWith(inbox.prefix) &&
        keyAndQuery.test(url.href.slice(inbox.prefix.length))
      );
    },
    isAddress: (address, port) => {
      const inbox = current();
      return inbox !== undefined && inbox.address === address && inbox.port === port;
    },
  };
}

/**
 * The prefix must be normalised and use a literal address: a name could resolve to another host,
 * and a prefix that ends within a path segment would match more than the inbox.
 */
function parsePrefix(prefix: string): ParsedInboxPrefix | undefined {
  const url = URL.canParse(prefix) ? new URL(prefix) : undefined;
  if (url?.protocol !== "http:" || url.href !== prefix || !prefix.endsWith("/")) {
    return undefined;
  }
  const address = url.hostname.replace(/^\[(.*)\]$/u, "$1");
  return parseAddress(address) === undefined
    ? undefined
    : { prefix, address, port: Number(url.port === "" ? 80 : url.port) };
}

/** Of every URL that the platform sends to. */
export const maxUrlLength = 2048;

/**
 * All checks of the URL itself. Parsed only by the WHATWG parser, like clients do: it normalises
 * `0x7f.1`, `127。0。0。1` and `https:\\host`.
 */
export function checkUrlRules(text: string, rules: AddressRules, inbox: InboxRule): UrlVerdict {
  if (text.length > maxUrlLength || !URL.canParse(text)) {
    return refusal("format", `The URL is not valid, or longer than ${maxUrlLength} characters.`);
  }
  const url = new URL(text);
  const fault = faultOfForm(url);
  if (fault !== undefined) {
    return fault;
  }
  return inbox.isUrl(url)
    ? { isAllowed: true, href: url.href, addressClass: "inbox" }
    : checkReceiverUrl(url, rules);
}

function faultOfForm(url: URL): UrlVerdict | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refusal("scheme", "The URL must start with https://.");
  }
  if (url.username !== "" || url.password !== "") {
    return refusal("userinfo", "The URL must not contain a user name or password: use a header.");
  }
  if (url.hash !== "" || url.href.endsWith("#")) {
    return refusal("fragment", "The URL must not have a fragment.");
  }
  return undefined;
}

const portText =
  "The port must be 443, 80 or at least 1024, and not the port of a database or a similar service, such as 5432 or 6379.";

/** Where plain http is allowed to the ports of the allow list only. */
const httpPortText =
  "Plain http is allowed only on ports that the operator of the platform permits.";

function checkReceiverUrl(url: URL, rules: AddressRules): UrlVerdict {
  const addressClass = url.protocol === "https:" ? "https" : "http";
  if (addressClass === "http" && !rules.isHttpPossible) {
    return refusal("scheme", "The URL must start with https://.");
  }
  if (!rules.isPortPossible(portOf(url), addressClass)) {
    return refusal("port", isPublicPort(portOf(url)) ? httpPortText : portText);
  }
  return isHostPossible(url, addressClass, rules)
    ? { isAllowed: true, href: url.href, addressClass: addressClass }
    : blockedVerdict;
}

function refusal(reason: UrlFault, detail: string): UrlVerdict {
  return {
    isAllowed: false,
    reason,
    detail,
  };
}

function isHostPossible(url: URL, addressClass: AddressClass, rules: AddressRules): boolean {
  const hostname = hostOf(url);
  const port = portOf(url);
  if (isLocalhost(hostname)) {
    return ["127.0.0.1", "::1"].some((address) =>
      rules.isAddressAllowed(address, port, addressClass),
    );
  }
  return (
    parseAddress(hostname) === undefined || rules.isAddressAllowed(hostname, port, addressClass)
  );
}

/** The host without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/u, "$1");
}

export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** `localhost` is loopback by standard, so it needs no DNS. */
function isLocalhost(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/u.test(hostname);
}

/** Parses a plain address; undefined for anything else. */
export function parseAddress(text: string): IpAddress | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text);
  }
  // A zone id selects an interface of this machine, which a receiver must not do.
  return text.includes(":") && !text.includes("%") && ipaddr.IPv6.isValid(text)
    ? ipaddr.IPv6.parse(text)
    : undefined;
}

function cidrs(...texts: readonly string[]): Cidr[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}
