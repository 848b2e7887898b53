/**
 * Decides where webhooks may go, three times: when a URL is saved, before each request, and at each
 * connect on the addresses that are really dialled. The last one is the guard; the others are
 * there to say it early.
 */
import type { LookupAddress } from "node:dns";
import ipaddr from "ipaddr.js";
import type { AllowedRange } from "../../config/allow-list.ts";
import { withTimeout } from "../wait.ts";
import {
  isInRange,
  isLocalAddress,
  isPublicAddress,
  isPublicPort,
  isWebPort,
  parseAddress,
} from "./address-classes.ts";
import { createInboxRule } from "./inbox-rule.ts";
import { createResolver, type Resolver } from "./resolver.ts";

/**
 * Which rules hold for a request. Each lane has connections of its own, so that what one lane may
 * reach is never reused by another.
 */
export type Lane = "https" | "http" | "inbox";

export type UrlFault = "format" | "scheme" | "userinfo" | "fragment" | "port" | "blocked_target";

export type UrlVerdict =
  | { isAllowed: true; href: string; lane: Lane }
  | { isAllowed: false; reason: UrlFault; detail: string };

export type AddressGuard = {
  /** Everything that can be said without DNS. `href` is the normalised form: store that one. */
  checkUrl(url: string): UrlVerdict;
  /**
   * As `checkUrl`, and refuses a name that leads to a blocked address. A name that does not
   * resolve, or not in time, passes: a receiver may be set up after its subscription, and each
   * connect asks again.
   */
  checkResolved(url: string): Promise<UrlVerdict>;
  /** The rule at connect time. */
  isAddressAllowed(address: string, port: number, lane: Lane): boolean;
  /**
   * All addresses of a name, every one of them allowed. Rejects with `BlockedTargetError` when a
   * single one is not: a name with a public and a private address is an attack or a mistake.
   */
  resolve(hostname: string, port: number, lane: Lane): Promise<readonly LookupAddress[]>;
};

export type AddressGuardOptions = {
  areLocalReceiversAllowed: boolean;
  allowList: readonly AllowedRange[];
  /**
   * Where the built-in receiver is, for instance `http://127.0.0.1:3000/inbox/`; a function where
   * the port is known later. Holds for literal addresses only; a name needs no exception.
   */
  inboxPrefix?: string | (() => string | undefined);
  resolver?: Resolver;
};

/** The one text for every blocked address: more would tell a stranger what our network looks like. */
export const blockedTargetText = "The address is not one that webhooks may be sent to.";

export class BlockedTargetError extends Error {
  readonly code = "ESSRF";
  constructor() {
    super(blockedTargetText);
    this.name = "BlockedTargetError";
  }
}

/** Somebody waits for the answer to a save. */
const saveTimeoutMs = 3_000;
const maxUrlLength = 2048;
/** Enough for every subscription of a busy process; far below what memory notices. */
const maxRemembered = 20_000;

const refusal = (reason: UrlFault, detail: string): UrlVerdict => ({
  isAllowed: false,
  reason,
  detail,
});

const blocked = refusal("blocked_target", blockedTargetText);

/** `localhost` is loopback by standard, whatever DNS says; no need to ask. */
const isLocalhost = (hostname: string): boolean => /(?:^|\.)localhost\.?$/u.test(hostname);

const portOf = (url: URL): number =>
  url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);

const bareHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/u, "$1");

/** What the text itself gets wrong, whoever is behind it. */
const faultOfForm = (url: URL): UrlVerdict | undefined => {
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
};

export const createAddressGuard = (options: AddressGuardOptions): AddressGuard => {
  const { areLocalReceiversAllowed } = options;
  const resolver = options.resolver ?? createResolver();
  const inbox = createInboxRule(options.inboxPrefix);
  const allowList = options.allowList.map(({ cidr, port }) => ({
    range: ipaddr.parseCIDR(cidr),
    port,
  }));
  const remembered = new Map<string, UrlVerdict>();

  const isAddressAllowed = (text: string, port: number, lane: Lane): boolean => {
    if (lane === "inbox") {
      return inbox.isAddress(text, port);
    }
    const address = parseAddress(text);
    if (address === undefined) {
      return false;
    }
    return (
      (lane === "https" && isPublicPort(port) && isPublicAddress(address)) ||
      (areLocalReceiversAllowed && isWebPort(port) && isLocalAddress(address)) ||
      allowList.some((entry) => entry.port === port && isInRange(address, entry.range))
    );
  };

  const isPortPossible = (port: number, lane: Lane): boolean =>
    (lane === "https" && isPublicPort(port)) ||
    (areLocalReceiversAllowed && isWebPort(port)) ||
    allowList.some((entry) => entry.port === port);

  /** Whether http may be spoken to anything at all: only the exceptions may have it. */
  const isHttpPossible = areLocalReceiversAllowed || allowList.length > 0;

  const isHostPossible = (hostname: string, port: number, lane: Lane): boolean => {
    if (isLocalhost(hostname)) {
      return isAddressAllowed("127.0.0.1", port, lane) || isAddressAllowed("::1", port, lane);
    }
    const isLiteral = parseAddress(hostname) !== undefined;
    return !isLiteral || isAddressAllowed(hostname, port, lane);
  };

  const judge = (text: string): UrlVerdict => {
    const url = text.length > maxUrlLength || !URL.canParse(text) ? undefined : new URL(text);
    if (url === undefined) {
      return refusal("format", `The URL is not valid, or longer than ${maxUrlLength} characters.`);
    }
    const fault = faultOfForm(url);
    if (fault !== undefined) {
      return fault;
    }
    if (inbox.isUrl(url)) {
      return { isAllowed: true, href: url.href, lane: "inbox" };
    }
    const lane = url.protocol === "https:" ? "https" : "http";
    if (lane === "http" && !isHttpPossible) {
      return refusal("scheme", "The URL must start with https://.");
    }
    const port = portOf(url);
    if (!isPortPossible(port, lane)) {
      return refusal("port", "The port is not one that webhooks may be sent to.");
    }
    return isHostPossible(bareHost(url), port, lane)
      ? { isAllowed: true, href: url.href, lane }
      : blocked;
  };

  const checkUrl = (text: string): UrlVerdict => {
    const known = remembered.get(text);
    if (known !== undefined) {
      return known;
    }
    const verdict = judge(text);
    if (remembered.size >= maxRemembered) {
      remembered.clear();
    }
    if (verdict.isAllowed) {
      remembered.set(text, verdict);
    }
    return verdict;
  };

  const resolve: AddressGuard["resolve"] = async (hostname, port, lane) => {
    const addresses = lane === "inbox" ? [] : await resolver.resolve(hostname);
    const areAllowed = addresses.every(({ address }) => isAddressAllowed(address, port, lane));
    if (addresses.length === 0 || !areAllowed) {
      throw new BlockedTargetError();
    }
    return addresses;
  };

  const checkResolved = async (text: string): Promise<UrlVerdict> => {
    const verdict = checkUrl(text);
    if (!verdict.isAllowed || verdict.lane === "inbox") {
      return verdict;
    }
    const url = new URL(verdict.href);
    const hostname = bareHost(url);
    if (parseAddress(hostname) !== undefined) {
      return verdict;
    }
    try {
      const { lane } = verdict;
      await withTimeout(resolve(hostname, portOf(url), lane), saveTimeoutMs, "DNS took too long");
      return verdict;
    } catch (error) {
      return error instanceof BlockedTargetError ? blocked : verdict;
    }
  };

  return { checkUrl, checkResolved, isAddressAllowed, resolve };
};
