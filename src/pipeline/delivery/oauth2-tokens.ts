/**
 * In: the OAuth2 client of a subscription. Out: a valid token, or why there is none.
 * Guarantee: one token request at a time per client, however many deliveries wait for it. A failed
 * token server is not asked again for some seconds.
 * On crash: tokens are only in memory; the next process requests its own.
 */
import type { OAuth2Client } from "../../contracts/subscriptions.ts";
import type { Send, SendRequest, SendResult } from "./send-result.ts";

export type TokenLookup =
  | { kind: "token"; token: string }
  | { kind: "none"; reason: string }
  /** The process is stopping. */
  | { kind: "aborted" };

export type AccessTokens = {
  /**
   * The token of the client. `refused`: the token that the receiver rejected, which is removed from
   * the cache. Rejects if this process cannot send (out of sockets or memory).
   */
  get(client: OAuth2Client, refused?: string): Promise<TokenLookup>;
};

export type AccessTokensDeps = {
  post: Send;
  /** Time-out of one token request. */
  timeoutMs: number;
  /** A monotonic clock in milliseconds. */
  nowMs: () => number;
};

/** `reason` is shown to the subscriber and quotes nothing of the answer. */
export type TokenResponse =
  | { kind: "token"; token: string; lifetimeMs: number }
  | { kind: "none"; reason: string };

type JsonMembers = Readonly<Record<string, unknown>>;

type TokenEntry = {
  token: string | undefined;
  usableUntil: number;
  failedReason: string;
  failedUntil: number;
  fetching: Promise<TokenLookup> | undefined;
};

const failureKeptMs = 10_000;

/** Cached per client object: a changed subscription has a new object, so it gets a new token. */
export function createAccessTokens({ post, timeoutMs, nowMs }: AccessTokensDeps): AccessTokens {
  const entries = new WeakMap<OAuth2Client, TokenEntry>();

  const entryOf = (client: OAuth2Client): TokenEntry => {
    const known = entries.get(client);
    if (known !== undefined) {
      return known;
    }
    const entry: TokenEntry = {
      token: undefined,
      usableUntil: 0,
      failedReason: "",
      failedUntil: -Infinity,
      fetching: undefined,
    };
    entries.set(client, entry);
    return entry;
  };

  const keep = (entry: TokenEntry, reading: TokenResponse): TokenLookup => {
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

  const fetchToken = async (client: OAuth2Client, entry: TokenEntry): Promise<TokenLookup> => {
    const result = await post(tokenRequest(client, timeoutMs));
    return result.kind === "failed" && result.failure === "aborted"
      ? { kind: "aborted" }
      : keep(entry, parseTokenResponse(result));
  };

  const startFetch = (client: OAuth2Client, entry: TokenEntry): Promise<TokenLookup> => {
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

/** A token must still be valid on arrival, so its last fifth is not used, at most a minute. */
function marginMs(lifetimeMs: number): number {
  return Math.min(lifetimeMs / 5, 60_000);
}

/** Bytes kept of a token answer: more than any token that fits into a header. */
const maxTokenAnswerBytes = 64 * 1024;

/** Requests a token. Sends nothing of the subscription but the client credentials. */
export function tokenRequest(client: OAuth2Client, timeoutMs: number): SendRequest {
  const { scope, audience } = client;
  const isBasic = client.authentication === "basic";
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    ...(isBasic ? {} : { client_id: client.clientId, client_secret: client.clientSecret }),
    ...(scope === null ? {} : { scope }),
    ...(audience === null ? {} : { audience }),
  });
  return {
    url: client.tokenUrl,
    headers: {
      Accept: "application/json",
      "Content-Type": "application/x-www-form-urlencoded",
      "User-Agent": "Sightline Cloud",
      ...(isBasic ? { Authorization: basicOf(client) } : {}),
    },
    body: Buffer.from(form.toString(), "utf8"),
    keptBytes: maxTokenAnswerBytes,
    timeoutMs,
  };
}

function basicOf({ clientId, clientSecret }: OAuth2Client): string {
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
  return `Basic ${Buffer.from(pair, "utf8").toString("base64")}`;
}

/** Form encoding, as RFC 6749, 2.3.1 requires for id and secret in the header. */
function formEncoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

/** Parses the answer of a token server. */
export function parseTokenResponse(result: SendResult): TokenResponse {
  if (result.kind === "failed") {
    return noToken(`token server: ${result.detail}`);
  }
  const members = parseMembers(result.body);
  if (result.status !== 200) {
    return tokenRefusal(result.status, members);
  }
  return members === undefined
    ? noToken("the response of the token server is not JSON of at most 64 KB")
    : parseGrant(members);
}

function parseMembers(text: string): JsonMembers | undefined {
  try {
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === "object" && parsed !== null ? (parsed as JsonMembers) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Error codes of RFC 6749, 5.2 and RFC 8707. Other texts are not quoted, because they are
 * untrusted.
 */
const knownErrors = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "invalid_target",
  "server_error",
  "temporarily_unavailable",
]);

function tokenRefusal(status: number, members: JsonMembers | undefined): TokenResponse {
  const error = members?.["error"];
  const word = typeof error === "string" && knownErrors.has(error) ? ` (${error})` : "";
  return noToken(`the token server responded with ${status}${word}`);
}

function parseGrant(members: JsonMembers): TokenResponse {
  const token = members["access_token"];
  const type = members["token_type"];
  const lifetimeMs = lifetimeMsOf(members["expires_in"]);
  if (!isSendable(token)) {
    return noToken("the response of the token server has no valid access_token");
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    return noToken("the token_type in the response of the token server is not Bearer");
  }
  return lifetimeMs === undefined
    ? noToken("the expires_in in the response of the token server is not a number of seconds")
    : { kind: "token", token, lifetimeMs };
}

/** The lifetime if the answer does not contain one. */
const assumedLifetimeMs = 5 * 60_000;

const longestLifetimeMs = 24 * 3_600_000;

/** Some servers send the number as a string. Undefined for anything else. */
function lifetimeMsOf(expiresIn: unknown): number | undefined {
  if (expiresIn === undefined || expiresIn === null) {
    return assumedLifetimeMs;
  }
  const seconds =
    typeof expiresIn === "string" && /^\d{1,12}$/u.test(expiresIn) ? Number(expiresIn) : expiresIn;
  return typeof seconds === "number" && seconds >= 0
    ? Math.min(seconds * 1_000, longestLifetimeMs)
    : undefined;
}

const maxTokenLength = 8 * 1024;

/** Characters that a header value allows, without spaces. */
function isSendable(token: unknown): token is string {
  return (
    typeof token === "string" && token.length <= maxTokenLength && /^[\x21-\x7e]+$/u.test(token)
  );
}

function noToken(reason: string): TokenResponse {
  return { kind: "none", reason };
}
