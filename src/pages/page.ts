/** How every built page is sent: nothing inline, nothing from elsewhere, framed by whom it allows. */
import { randomBytes } from "node:crypto";
import type { Response } from "express";
import { askForHttps } from "../http/security-headers.ts";
import type { BuiltPages } from "./built.ts";

export type PageHeadersOptions = Readonly<{
  /** CSP sources that may show the page in a frame; nobody where there are none. */
  frameAncestors?: readonly string[];
}>;

export type SentPage = Readonly<{
  built: BuiltPages;
  page: string;
  status?: number;
  /** Markup for the end of its head. */
  head?: string;
}>;

const placeOfNonce = /__CSP_NONCE__/gu;

/** Sends a built page with a nonce of its own. */
export async function sendBuiltPage(
  response: Response,
  { built, page, status = 200, head = "" }: SentPage,
  { frameAncestors = [] }: PageHeadersOptions = {},
): Promise<void> {
  const nonce = randomBytes(16).toString("base64url");
  const html = (await built.html(page))
    .replace(placeOfNonce, nonce)
    .replace("</head>", () => `${head}</head>`);
  setHeaders(response, nonce, frameAncestors);
  response.status(status).type("html").send(html);
}

const permissions = "camera=(self), microphone=(self), geolocation=(self), display-capture=(self)";

function setHeaders(response: Response, nonce: string, frameAncestors: readonly string[]): void {
  response.set({
    "Content-Security-Policy": policyOf(nonce, frameAncestors),
    "Permissions-Policy": permissions,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": resourcePolicyOf(frameAncestors),
    "Cache-Control": "no-store",
  });
  if (frameAncestors.length === 0) {
    response.set("X-Frame-Options", "DENY");
  }
  askForHttps(response);
}

/** Scripts and styles are our files. Styles that our scripts make carry the nonce. */
function policyOf(nonce: string, frameAncestors: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ")}`,
  ].join("; ");
}

/** Also whoever frames the page may be a document that lets only in what says that it wants to be. */
function resourcePolicyOf(frameAncestors: readonly string[]): string {
  return frameAncestors.every((source) => source === "'self'") ? "same-origin" : "cross-origin";
}
