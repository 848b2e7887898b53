/**
 * Calls of our own pages: the session's cookie instead of a token. A cookie is sent whoever made
 * the page that asks, so what changes something must come from a page of ours and hold the
 * session's CSRF token. Calls with a token need none of this.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { problem } from "../contracts/problems.ts";
import type { Authenticated } from "./authorize.ts";
import { noToken } from "./authorize.ts";

/** A session that is good at this moment, and whose it is. */
export type BrowserSession = Authenticated &
  Readonly<{
    csrfToken: string;
    /** Signed in inside an iframe on another site. */
    isEmbedded: boolean;
  }>;

export type BrowserSessions = Readonly<{
  /** By the id in the cookie. Asked on every call: ending a session is instant. */
  find(id: string): Promise<BrowserSession | undefined>;
  /** Whether an enterprise was given this host name as its way to the platform. */
  isAlias(host: string): Promise<boolean>;
}>;

/** Where a call came in, and what its headers say. */
export type Door = Readonly<{
  /** Public address without a slash at the end. */
  baseUrl: string;
  isAlias(host: string): Promise<boolean>;
  /** A header by its name in lower case. */
  header(name: string): string | undefined;
}>;

/** `__Host-` binds the cookie to the host and to https, which browsers then enforce. */
export const sessionCookieName = (baseUrl: string): string =>
  baseUrl.startsWith("https:") ? "__Host-sid" : "sid";

/** The session's id in a `Cookie` header; the first one where there are several. */
export const sessionIdOf = (cookies: string | undefined, baseUrl: string): string | undefined => {
  const start = `${sessionCookieName(baseUrl)}=`;
  const found = cookies
    ?.split(";")
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(start));
  return found === undefined || found === start ? undefined : found.slice(start.length);
};

/** Our own address, or the alias that the browser called us by. */
const isOwnOrigin = async ({ baseUrl, isAlias, header }: Door, origin: string) => {
  const own = new URL(baseUrl);
  if (origin === own.origin) {
    return true;
  }
  const isCalledHost = origin === `${own.protocol}//${header("host") ?? ""}`;
  return isCalledHost && URL.canParse(origin) && isAlias(new URL(origin).hostname);
};

/**
 * Whether a page of ours made the call. Browsers say so in `Sec-Fetch-Site`; where they do not
 * (older ones, and plain http), the `Origin` must be ours.
 */
export const isSameOrigin = async (door: Door): Promise<boolean> => {
  const site = door.header("sec-fetch-site");
  if (site !== undefined) {
    return site === "same-origin";
  }
  const origin = door.header("origin");
  return origin !== undefined && isOwnOrigin(door, origin);
};

/** Throws unless a page of ours made the call. */
export const requireSameOrigin = async (door: Door): Promise<void> => {
  if (!(await isSameOrigin(door))) {
    throw problem("csrf", "The call does not come from a page of this platform.", {
      details: "Header Sec-Fetch-Site",
    });
  }
};

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Takes as long whatever differs. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const over = () => {
  const { headers } = noToken();
  return problem("no_token", "The session is over. Sign in again.", { headers });
};

const checkReading = ({ header }: Door, { isEmbedded }: BrowserSession): void => {
  if (header("sec-fetch-site") === "cross-site" && !isEmbedded) {
    throw problem("csrf", "Another site asks with your session.", {
      details: "Header Sec-Fetch-Site",
    });
  }
};

const checkToken = ({ header }: Door, { csrfToken }: BrowserSession): void => {
  if (!isEqual(header("x-csrf-token") ?? "", csrfToken)) {
    throw problem("csrf", "The header X-CSRF-TOKEN is missing, or not the session's.", {
      details: "Header X-CSRF-TOKEN",
    });
  }
};

/** The owner of the session with this id. Throws where it is over, or the call is not a page's. */
export const authenticateBrowser = async (
  sessions: Pick<BrowserSessions, "find">,
  door: Door,
  { id, method }: { id: string; method: string },
): Promise<Authenticated> => {
  const isReading = method === "GET" || method === "HEAD";
  if (!isReading) {
    await requireSameOrigin(door);
  }
  const session = await sessions.find(id);
  if (session === undefined) {
    throw over();
  }
  if (isReading) {
    checkReading(door, session);
  } else {
    checkToken(door, session);
  }
  return { caller: session.caller, hasSolution: session.hasSolution };
};
