import {
  parseAddress,
  type AddressRules,
  type AddressClass,
  type InboxRule,
} from "./address-rules.ts";

export type UrlFault = "format" | "scheme" | "userinfo" | "fragment" | "port" | "blocked_target";

export type UrlVerdict =
  | { isAllowed: true; href: string; addressClass: AddressClass }
  | { isAllowed: false; reason: UrlFault; detail: string };

/** One text for every blocked address: details would reveal the internal network. */
export const blockedTargetText = "The address is not one that webhooks may be sent to.";

export const blockedVerdict = refusal("blocked_target", blockedTargetText);

const maxUrlLength = 2048;

/**
 * All checks of the URL itself. Parsed by the WHATWG parser only, as clients do: it normalises
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
    return refusal("userinfo", "The URL must not hold a user or password: use a header.");
  }
  if (url.hash !== "" || url.href.endsWith("#")) {
    return refusal("fragment", "The URL must not have a fragment.");
  }
  return undefined;
}

const portText =
  "The port must be 443, or one from 1024 on that is no well-known port of another protocol (databases, mail, IRC and the like).";

function checkReceiverUrl(url: URL, rules: AddressRules): UrlVerdict {
  const addressClass = url.protocol === "https:" ? "https" : "http";
  if (addressClass === "http" && !rules.isHttpPossible) {
    return refusal("scheme", "The URL must start with https://.");
  }
  if (!rules.isPortPossible(portOf(url), addressClass)) {
    return refusal("port", portText);
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

/** `localhost` is loopback by standard, whatever DNS says; no need to ask. */
function isLocalhost(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/u.test(hostname);
}
