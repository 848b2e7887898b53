/**
 * In: a subscription's OAuth2 client. Out: a token that is good now, or why there is none.
 * Guarantee: one request at a time for one client, however many deliveries wait for its token; a
 * token server that failed is left alone for some seconds.
 * On crash: nothing is kept here; the next process gets a token of its own.
 */
import type { OAuth2Client } from "../../contracts/subscriptions.ts";
import type { Send } from "./send-types.ts";
import { readToken, tokenRequest, type TokenReading } from "./token-request.ts";

export type TokenLookup =
  | { kind: "token"; token: string }
  | { kind: "none"; reason: string }
  /** This process stops. */
  | { kind: "aborted" };

export type Tokens = {
  /**
   * The client's token. `refused` is one that its receiver did not take: that one is forgotten,
   * and only it. Rejects where this process itself cannot ask (out of sockets, out of memory).
   */
  get(client: OAuth2Client, refused?: string): Promise<TokenLookup>;
};

export type TokensDeps = {
  post: Send;
  /** For one request to a token server. */
  timeoutMs: number;
  /** Any clock that only goes on, in milliseconds. */
  nowMs: () => number;
};

type Entry = {
  token: string | undefined;
  usableUntil: number;
  failedReason: string;
  failedUntil: number;
  fetching: Promise<TokenLookup> | undefined;
};

const failureKeptMs = 10_000;

/** Tokens belong to the client's object: a changed subscription has another, and a new token. */
export function createTokens({ post, timeoutMs, nowMs }: TokensDeps): Tokens {
  const entries = new WeakMap<OAuth2Client, Entry>();

  const entryOf = (client: OAuth2Client): Entry => {
    const known = entries.get(client);
    if (known !== undefined) {
      return known;
    }
    const entry: Entry = {
      token: undefined,
      usableUntil: 0,
      failedReason: "",
      failedUntil: -Infinity,
      fetching: undefined,
    };
    entries.set(client, entry);
    return entry;
  };

  const keep = (entry: Entry, reading: TokenReading): TokenLookup => {
    if (reading.kind === "none") {
      Object.assign(entry, {
        failedReason: reading.reason,
        failedUntil: nowMs() + failureKeptMs,
      });
      return reading;
    }
    const { token, lifetimeMs } = reading;
    Object.assign(entry, { token, usableUntil: nowMs() + lifetimeMs - marginMs(lifetimeMs) });
    return { kind: "token", token };
  };

  const fetchToken = async (client: OAuth2Client, entry: Entry): Promise<TokenLookup> => {
    const result = await post(tokenRequest(client, timeoutMs));
    return result.kind === "failed" && result.failure === "aborted"
      ? { kind: "aborted" }
      : keep(entry, readToken(result));
  };

  const startFetch = (client: OAuth2Client, entry: Entry): Promise<TokenLookup> => {
    const fetching = fetchToken(client, entry).finally(() => {
      Object.assign(entry, { fetching: undefined });
    });
    Object.assign(entry, { fetching });
    return fetching;
  };

  return {
    get: async (client, refused) => {
      const entry = entryOf(client);
      if (entry.fetching !== undefined) {
        return entry.fetching;
      }
      if (refused !== undefined && entry.token === refused) {
        entry.token = undefined;
      }
      if (entry.token !== undefined && nowMs() < entry.usableUntil) {
        return { kind: "token", token: entry.token };
      }
      return nowMs() < entry.failedUntil
        ? { kind: "none", reason: entry.failedReason }
        : startFetch(client, entry);
    },
  };
}

/** A token must still be good when it arrives: a fifth of its life is not used, at most a minute. */
function marginMs(lifetimeMs: number): number {
  return Math.min(lifetimeMs / 5, 60_000);
}
