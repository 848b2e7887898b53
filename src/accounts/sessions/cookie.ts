/** The cookie that holds a session's id. Pure. */
import { createHmac } from "node:crypto";
import { sessionCookieName } from "../../http/browser-session.ts";

type Place = Readonly<{ baseUrl: string; isEmbedded: boolean }>;

/**
 * In an iframe on another site, browsers take a cookie only with these attributes, and keep it for
 * that site alone. They take `Secure` on https, and on http from this machine itself.
 */
const attributesOf = ({ baseUrl, isEmbedded }: Place): string => {
  const common = "Path=/; HttpOnly";
  if (isEmbedded) {
    return `${common}; SameSite=None; Secure; Partitioned`;
  }
  return baseUrl.startsWith("https:")
    ? `${common}; SameSite=Lax; Secure`
    : `${common}; SameSite=Lax`;
};

/** A `Set-Cookie` header. Without an age: it goes with the browser, or with the session. */
export const setCookie = (id: string, place: Place): string =>
  `${sessionCookieName(place.baseUrl)}=${id}; ${attributesOf(place)}`;

/** A `Set-Cookie` header that removes the cookie: it needs the attributes that it was set with. */
export const clearCookie = (place: Place): string =>
  `${sessionCookieName(place.baseUrl)}=; Max-Age=0; ${attributesOf(place)}`;

/** Made from the id, so that nothing more is stored, and so that the id cannot be made from it. */
export const csrfTokenOf = (id: string): string =>
  createHmac("sha256", id).update("csrf").digest("base64url");
