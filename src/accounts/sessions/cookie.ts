/** The cookies that hold a session's id, and the mark of a browser. Pure. */
import { createHmac } from "node:crypto";
import { sessionCookieName } from "../../http/browser-session.ts";

type Place = Readonly<{ baseUrl: string; isEmbedded: boolean }>;

/** A `Set-Cookie` header. Without an age: it goes with the browser, or with the session. */
export function setCookie(id: string, place: Place): string {
  return `${sessionCookieName(place.baseUrl)}=${id}; ${attributesOf(place)}`;
}

/** As long as the platform remembers who has signed in with it. */
const browserCookieSeconds = 90 * 86_400;

/**
 * Marks the browser, so that somebody who guesses at its user's password elsewhere does not keep
 * them out. It opens nothing, and stays when the user signs out.
 */
export function setBrowserCookie(id: string, place: Place): string {
  return `${browserCookieName(place.baseUrl)}=${id}; Max-Age=${browserCookieSeconds}; ${attributesOf(place)}`;
}

/** The mark in a `Cookie` header, as we make them. */
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

/** A `Set-Cookie` header that removes the cookie: it needs the attributes that it was set with. */
export function clearCookie(place: Place): string {
  return `${sessionCookieName(place.baseUrl)}=; Max-Age=0; ${attributesOf(place)}`;
}

/**
 * In an iframe on another site, browsers take a cookie only with these attributes, and keep it for
 * that site alone. They take `Secure` on https, and on http from this machine itself.
 */
function attributesOf({ baseUrl, isEmbedded }: Place): string {
  const common = "Path=/; HttpOnly";
  if (isEmbedded) {
    return `${common}; SameSite=None; Secure; Partitioned`;
  }
  return baseUrl.startsWith("https:")
    ? `${common}; SameSite=Lax; Secure`
    : `${common}; SameSite=Lax`;
}

/** Made from the id, so that nothing more is stored, and so that the id cannot be made from it. */
export function csrfTokenOf(id: string): string {
  return createHmac("sha256", id).update("csrf").digest("base64url");
}
