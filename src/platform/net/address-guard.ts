/**
 * Prevents SSRF: checks a URL when it is saved, before each request, and at each connect on the
 * resolved addresses. Only the last check protects; the others report early.
 */
import type { LookupAddress } from "node:dns";
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

export type AddressGuard = {
  /** All checks without DNS. `href` is the normalised URL to store. */
  checkUrl(url: string): UrlVerdict;
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
  const remembered = new Map<string, UrlVerdict>();

  const checkUrl = (text: string): UrlVerdict => {
    const known = remembered.get(text);
    if (known !== undefined) {
      return known;
    }
    const verdict = checkUrlRules(text, rules, inbox);
    if (remembered.size >= maxRemembered) {
      remembered.clear();
    }
    // Rejections are not cached: they are rare, and the inbox may get its URL later.
    if (verdict.isAllowed) {
      remembered.set(text, verdict);
    }
    return verdict;
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
    const url = new URL(verdict.href);
    const hostname = hostOf(url);
    if (parseAddress(hostname) !== undefined) {
      return verdict;
    }
    try {
      const addresses = resolve(hostname, portOf(url), verdict.addressClass);
      await withTimeout(addresses, saveTimeoutMs, "DNS took too long");
      return verdict;
    } catch (error) {
      return error instanceof BlockedTargetError ? blockedVerdict : verdict;
    }
  };

  return { checkUrl, checkResolved, isAddressAllowed: rules.isAddressAllowed, resolve };
}
