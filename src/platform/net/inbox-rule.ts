import { parseAddress } from "./address-classes.ts";

/** The one exception of a platform without configuration: its own built-in receiver. */
export type InboxRule = {
  isUrl(url: URL): boolean;
  isAddress(address: string, port: number): boolean;
};

type Inbox = { prefix: string; address: string; port: number };

/** What may follow the prefix: one key, and a query. No escapes, so no second reading of them. */
const keyAndQuery = /^[A-Za-z0-9_-]+(?:\?[^#]*)?$/u;

export function createInboxRule(
  prefix: string | (() => string | undefined) | undefined,
): InboxRule {
  let known: { text: string | undefined; inbox: Inbox | undefined } | undefined;
  const current = (): Inbox | undefined => {
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
 * The prefix must be in the normalised form and name a literal address: a name could come to mean
 * another host, and a prefix that ends in the middle of a segment would open more than the inbox.
 */
function parsePrefix(prefix: string): Inbox | undefined {
  const url = URL.canParse(prefix) ? new URL(prefix) : undefined;
  if (url?.protocol !== "http:" || url.href !== prefix || !prefix.endsWith("/")) {
    return undefined;
  }
  const address = url.hostname.replace(/^\[(.*)\]$/u, "$1");
  return parseAddress(address) === undefined
    ? undefined
    : { prefix, address, port: Number(url.port === "" ? 80 : url.port) };
}
