/**
 * Cookie authentication for our own pages. Browsers attach cookies to cross-site requests, so
 * changes need a same-origin request and the CSRF token of the session; bearer tokens need neither.
 */
import { isEqualConstantTime } from "../platform/secret-box.ts";
import { createHmac } from "node:crypto";
import { problem } from "../contracts/problems.ts";
import { type Authenticated, noToken } from "./authorize.ts";

/** A valid session and its owner. */
export type BrowserSession = Authenticated &
  Readonly<{
    csrfToken: string;
    /** The user signed in inside an iframe on another site. */
    isEmbedded: boolean;
  }>;

export type BrowserSessions = Readonly<{
  /**
   * Finds a session by the id in the cookie. Called on every request, so that revocation is
   * immediate.
   */
  find(id: string): Promise<BrowserSession | undefined>;
  /** Whether an enterprise has this host name as a custom domain. */
  isAlias(host: string): Promise<boolean>;
}>;

/** The address that a call used, and its headers. */
export type CallOrigin = Readonly<{
  /** Public address, without a trailing slash. */
  baseUrl: string;
  isAlias(host: string): Promise<boolean>;
  /** A header by its name in lower case. */
  header(name: string): string | undefined;
}>;

type CookieContext = Readonly<{ baseUrl: string; isEmbedded: boolean }>;

/** Upper bound; browsers store fewer of our cookies. */
const maxSessionIds = 4;

/**
 * The session ids in a `Cookie` header, in the browser's order. In an iframe of our own site the
 * header may contain two cookies of one name: a partitioned and an unpartitioned one.
 */
export function sessionIdsOf(cookies: string | undefined, baseUrl: string): string[] {
  const start = `${sessionCookieName(baseUrl)}=`;
  const ids = (cookies ?? "")
    .split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start) && cookie !== start)
    .map((cookie) => cookie.slice(start.length));
  return [...new Set(ids)].slice(0, maxSessionIds);
}

/** The owner of a valid session. Throws if all have expired, or if the call is cross-site. */
export async function authenticateBrowser(
  sessions: Pick<BrowserSessions, "find">,
  door: CallOrigin,
  { ids, method }: { ids: readonly string[]; method: string },
): Promise<Authenticated> {
  const isReading = method === "GET" || method === "HEAD";
  if (!isReading) {
    await requireSameOrigin(door);
  }
  const session = await findSession(sessions, door, { ids, isReading });
  if (session === undefined) {
    throw sessionExpired();
  }
  if (isReading) {
    checkReading(door, session);
  } else {
    checkToken(door, session);
  }
  return { caller: session.caller, hasSolution: session.hasSolution };
}

/** Throws unless the call is same-origin. */
export async function requireSameOrigin(door: CallOrigin): Promise<void> {
  if (!(await isSameOrigin(door))) {
    throw problem("csrf", "The request must come from a page of this platform.", {
      details: "Header Sec-Fetch-Site",
    });
  }
}

/**
 * Whether one of our pages made the call. Browsers say so in `Sec-Fetch-Site`. Without that header
 * (older browsers, plain HTTP) the `Origin` must be ours.
 */
export async function isSameOrigin(door: CallOrigin): Promise<boolean> {
  const site = door.header("sec-fetch-site");
  if (site !== undefined) {
    return site === "same-origin";
  }
  const origin = door.header("origin");
  return origin !== undefined && isOwnOrigin(door, origin);
}

/** The public address, or the custom domain that the browser used. */
async function isOwnOrigin({ baseUrl, isAlias, header }: CallOrigin, origin: string) {
  const own = new URL(baseUrl);
  if (origin === own.origin) {
    return true;
  }
  const isCalledHost = origin === `${own.protocol}//${header("host") ?? ""}`;
  return isCalledHost && URL.canParse(origin) && isAlias(new URL(origin).hostname);
}

/** The first valid session; for a change, the one that matches the CSRF token. */
async function findSession(
  { find }: Pick<BrowserSessions, "find">,
  { header }: CallOrigin,
  { ids, isReading }: { ids: readonly string[]; isReading: boolean },
): Promise<BrowserSession | undefined> {
  const input = header("x-csrf-token") ?? "";
  let first: BrowserSession | undefined;
  const matching = await firstFound(ids, async (id) => {
    const found = await find(id);
    first ??= found;
    const isMeant =
      found !== undefined && (isReading || isEqualConstantTime(input, found.csrfToken));
    return isMeant ? found : undefined;
  });
  return matching ?? first;
}

/** The first result; looks up one id after the other. */
export async function firstFound<T>(
  ids: readonly string[],
  find: (id: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const id of ids) {
    const found = await find(id);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function sessionExpired() {
  const { headers } = noToken();
  return problem("no_token", "The session has expired. Sign in again.", { headers });
}

function checkReading({ header }: CallOrigin, { isEmbedded }: BrowserSession): void {
  if (header("sec-fetch-site") === "cross-site" && !isEmbedded) {
    throw problem("csrf", "A cross-site request cannot use your session.", {
      details: "Header Sec-Fetch-Site",
    });
  }
}

function checkToken({ header }: CallOrigin, { csrfToken }: BrowserSession): void {
  if (!isEqualConstantTime(header("x-csrf-token") ?? "", csrfToken)) {
    throw problem("csrf", "The header X-CSRF-TOKEN is missing or does not match the session.", {
      details: "Header X-CSRF-TOKEN",
    });
  }
}

/** A `Set-Cookie` header without an age: the cookie ends with the browser or with the session. */
export function sessionCookie(id: string, context: CookieContext): string {
  return `${sessionCookieName(context.baseUrl)}=${id}; ${attributesOf(context)}`;
}

/** As long as the platform remembers which users signed in with a browser. */
const browserCookieSeconds = 90 * 86_400;

/**
 * Marks the browser as known to its user, so that failed logins from elsewhere do not lock the user
 * out. Grants no access and survives signing out.
 */
export function browserCookie(id: string, context: CookieContext): string {
  return `${browserCookieName(context.baseUrl)}=${id}; Max-Age=${browserCookieSeconds}; ${attributesOf(context)}`;
}

/** The id of a known browser in a `Cookie` header. */
export function browserIdOf(cookies: string | undefined, baseUrl: string): string | undefined {
  const start = `${browserCookieName(baseUrl)}=`;
  const pairs = (cookies ?? "").split(";").map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
    .find((id) => /^[\w-]{43}$/u.test(id));
}

function browserCookieName(baseUrl: string): string {
  return baseUrl.startsWith("https:") ? "__Host-browser" : "browser";
}

/**
 * A `Set-Cookie` header that removes the cookie. It must have the attributes with which the cookie
 * was set.
 */
export function clearedSessionCookie(context: CookieContext): string {
  return `${sessionCookieName(context.baseUrl)}=; Max-Age=0; ${attributesOf(context)}`;
}

/** `__Host-` binds the cookie to the host and to HTTPS; browsers enforce it. */
export function sessionCookieName(baseUrl: string): string {
  return baseUrl.startsWith("https:") ? "__Host-sid" : "sid";
}

/**
 * In an iframe on another site, browsers accept a cookie only with these attributes, and store it
 * partitioned by site. They accept `Secure` on HTTPS, and over HTTP from localhost.
 */
function attributesOf({ baseUrl, isEmbedded }: CookieContext): string {
  const common = "Path=/; HttpOnly";
  if (isEmbedded) {
    return `${common}; SameSite=None; Secure; Partitioned`;
  }
  return baseUrl.startsWith("https:")
    ? `${common}; SameSite=Lax; Secure`
    : `${common}; SameSite=Lax`;
}

/**
 * Derived from the session id, so that nothing more is stored. The id cannot be computed from it.
 */
export function csrfTokenOf(id: string): string {
  return createHmac("sha256", id).update("csrf").digest("base64url");
}
