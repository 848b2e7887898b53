import ipaddr from "ipaddr.js";
import {
  isInRange,
  isLocalAddress,
  isPublicAddress,
  isPublicPort,
  isWebPort,
  parseAddress,
} from "./address-classes.ts";
import type { InboxRule } from "./inbox-rule.ts";

/**
 * Which rules hold for a request. Each lane has connections of its own, so that what one lane may
 * reach is never reused by another.
 */
export type Lane = "https" | "http" | "inbox";

export type AddressRules = {
  isAddressAllowed(address: string, port: number, lane: Lane): boolean;
  /** False when no address at all may be reached there: said before DNS is asked. */
  isPortPossible(port: number, lane: Lane): boolean;
  /** Whether http may be spoken to anything: only the exceptions may have it. */
  readonly isHttpPossible: boolean;
};

/** One range, and the one port there, that is allowed although it is not public. */
export type AllowedRange = Readonly<{ cidr: string; port: number }>;

export type AddressExceptions = {
  areLocalReceiversAllowed: boolean;
  allowList: readonly AllowedRange[];
  inbox: InboxRule;
};

export function createAddressRules(exceptions: AddressExceptions): AddressRules {
  const { areLocalReceiversAllowed, inbox } = exceptions;
  const allowList = exceptions.allowList.map(({ cidr, port }) => ({
    range: ipaddr.parseCIDR(cidr),
    port,
  }));
  return {
    isHttpPossible: areLocalReceiversAllowed || allowList.length > 0,
    isPortPossible: (port, lane) =>
      (lane === "https" && isPublicPort(port)) ||
      (areLocalReceiversAllowed && isWebPort(port)) ||
      allowList.some((entry) => entry.port === port),
    isAddressAllowed: (text, port, lane) => {
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
    },
  };
}
