/**
 * Prevents SSRF: checks a URL when it is saved, before each request, and at each connect on the
 * resolved addresses. Only the last check protects; the others report early.
 */
import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { withTimeout } from "../concurrency/async.ts";
import {
  parseAddress,
  createAddressRules,
  type AllowedRange,
  type AddressClass,
  createInboxRule,
  blockedTargetText,
  blockedVerdict,
  hostOf,
  checkUrlRules,
  portOf,
  type UrlVerdict,
} from "./address-rules.ts";
import { createResolver, type Resolver } from "./resolver.ts";

/** An allowed URL with its parts: parsed once for all its deliveries. */
export type AllowedUrl = Extract<UrlVerdict, { isAllowed: true }> &
  Readonly<{
    protocol: "http:" | "https:";
    host: string;
    /** Whether the host is a name that needs DNS. */
    isNamed: boolean;
    port: number;
    path: string;
    hostHeader: string;
  }>;

type Refusal = Extract<UrlVerdict, { isAllowed: false }>;

export type AddressGuard = {
  /** All checks without DNS. `href` is the normalised URL to store. */
  checkUrl(url: string): AllowedUrl | Refusal;
  /**
   * As `checkUrl`, and refuses a name that resolves to a blocked address. A name that does not
   * resolve, or not in time, passes: a receiver may be set up later, and each connect checks again.
   */
  checkResolved(url: string): Promise<UrlVerdict>;
  /** The rule at connect time. */
  isAddressAllowed(address: string, port: number, addressClass: AddressClass): boolean;
  /**
   * All addresses of a name, if all are allowed. Rejects with `BlockedTargetError` otherwise: a
   * name with a public and a private address is an attack or a mistake.
   */
  resolve(
    hostname: string,
    port: number,
    addressClass: AddressClass,
  ): Promise<readonly LookupAddress[]>;
};

export type AddressGuardOptions = {
  areLocalReceiversAllowed: boolean;
  allowList: readonly AllowedRange[];
  /**
   * The URL of the built-in receiver, for instance `http://127.0.0.1:3000/inbox/`; a function if
   * the port is known later. Literal addresses only, because a name needs no exception.
   */
  inboxPrefix?: string | (() => string | undefined);
  resolver?: Resolver;
};

export class BlockedTargetError extends Error {
  readonly code = "ESSRF";
  constructor() {
    super(blockedTargetText);
    this.name = "BlockedTargetError";
  }
}

/** Short, because a user waits for the response. */
const saveTimeoutMs = 3_000;
/** Enough for all subscriptions of a busy process, and small in memory. */
const maxRemembered = 20_000;

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const resolver = options.resolver ?? createResolver();
  const inbox = createInboxRule(options.inboxPrefix);
  const rules = createAddressRules({ ...options, inbox });
  const remembered = new Map<string, AllowedUrl>();

  const checkUrl = (text: string): AllowedUrl | Refusal => {
    const known = remembered.get(text);
    if (known !== undefined) {
      return known;
    }
    const verdict = checkUrlRules(text, rules, inbox);
    if (!verdict.isAllowed) {
      return verdict; // not cached: refusals are rare, and the inbox may get its URL later
    }
    if (remembered.size >= maxRemembered) {
      remembered.clear();
    }
    const allowed = { ...verdict, ...partsOf(new URL(verdict.href)) };
    remembered.set(text, allowed);
    return allowed;
  };

  const resolve: AddressGuard["resolve"] = async (hostname, port, addressClass) => {
    const found = addressClass === "inbox" ? [] : await resolver.resolve(hostname);
    const areAllowed = found.every(({ address }) =>
      rules.isAddressAllowed(address, port, addressClass),
    );
    if (found.length === 0 || !areAllowed) {
      throw new BlockedTargetError();
    }
    return found;
  };

  const checkResolved = async (text: string): Promise<UrlVerdict> => {
    const verdict = checkUrl(text);
    if (!verdict.isAllowed || verdict.addressClass === "inbox") {
      return verdict;
    }
    const { host, port, addressClass } = verdict;
    if (parseAddress(host) !== undefined) {
      return verdict;
    }
    try {
      const addresses = resolve(host, port, addressClass);
      await withTimeout(addresses, saveTimeoutMs, "DNS took too long");
      return verdict;
    } catch (error) {
      return error instanceof BlockedTargetError ? blockedVerdict : verdict;
    }
  };

  return { checkUrl, checkResolved, isAddressAllowed: rules.isAddressAllowed, resolve };
}

/** The parts of a URL that a request needs. */
export function partsOf(url: URL) {
  const host = hostOf(url);
  return {
    protocol: url.protocol === "https:" ? ("https:" as const) : ("http:" as const),
    host,
    isNamed: isIP(host) === 0,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    hostHeader: url.host,
  };
}
