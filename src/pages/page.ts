/**
 * Sends built pages with a strict CSP: nonce, nothing inline or foreign, `frame-ancestors` as
 * allowed.
 */
import { randomBytes } from "node:crypto";
import type { Response, Request } from "express";
import { setHsts } from "../http/http-server.ts";
import type { BuiltPages } from "./built-pages.ts";

export type PageHeadersOptions = Readonly<{
  /** CSP sources that may frame the page; empty: none. */
  frameAncestors?: readonly string[];
}>;

export type BuiltPage = Readonly<{
  built: BuiltPages;
  page: string;
  status?: number;
  /** Markup to append to the head. */
  head?: string;
}>;

type ConsoleLanguage = "en" | "fr";

/**
 * Preloads for the first bytes of a page: without them the browser would discover its scripts one
 * after the other, with a network round trip each.
 */
type Preload = Readonly<{
  folder: string;
  /** Segments that begin with `$` match any value. */
  address: string;
  scripts: Readonly<Record<ConsoleLanguage, readonly string[]>>;
}>;

export type PreloadDeps = Readonly<{
  built: BuiltPages;
  page: string;
  /** Whether a request may belong to a session; otherwise the page does not ask for one. */
  mayHaveSession(request: Request): boolean;
}>;

export type PageStart = Readonly<{
  /** Markup for the head of this page. */
  head: string;
  /** 404 if the application has no route for this path; it shows the error itself. */
  status: 200 | 404;
}>;

const noncePlaceholder = /__CSP_NONCE__/gu;

/** Sends a built page with a new nonce. */
export async function sendBuiltPage(
  response: Response,
  { built, page, status = 200, head = "" }: BuiltPage,
  { frameAncestors = [] }: PageHeadersOptions = {},
): Promise<void> {
  const nonce = randomBytes(16).toString("base64url");
  const html = (await built.html(page))
    .replace(noncePlaceholder, nonce)
    .replace("</head>", () => `${head}</head>`);
  setHeaders(response, nonce, { frameAncestors, connectSources: built.connectSources });
  response.status(status).type("html").send(html);
}

const permissions = "camera=(self), microphone=(self), geolocation=(self), display-capture=(self)";

type PolicySources = Readonly<{
  frameAncestors: readonly string[];
  connectSources: readonly string[];
}>;

function setHeaders(response: Response, nonce: string, sources: PolicySources): void {
  const { frameAncestors } = sources;
  response.set({
    "Content-Security-Policy": policyOf(nonce, sources),
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
  setHsts(response);
}

/** Scripts and styles are our own files. Styles that our scripts create carry the nonce. */
function policyOf(nonce: string, { frameAncestors, connectSources }: PolicySources): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    ["connect-src 'self'", ...connectSources].join(" "),
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ")}`,
  ].join("; ");
}

/** Embeddable pages need CORP `cross-origin`; otherwise parents with COEP block them. */
function resourcePolicyOf(frameAncestors: readonly string[]): string {
  return frameAncestors.every((source) => source === "'self'") ? "same-origin" : "cross-origin";
}

/** Written by the build, `web/build/preloads.ts`. */
const preloadsFile = "preloads.json";

/** Every page of the console requests it first. */
const sessionTag =
  '<link rel="preload" as="fetch" crossorigin="anonymous" href="/api/browser-session">\n';

const noSessionTag = '<meta name="session" content="none">\n';

export async function startOfPage(deps: PreloadDeps, request: Request): Promise<PageStart> {
  const text = await deps.built.read(preloadsFile);
  const preloads = text === undefined ? [] : (JSON.parse(text) as Preload[]);
  const found = findPreload(preloads, deps.page, trimEnd(request.path));
  const language = request.acceptsLanguages(["en", "fr"]) === "fr" ? "fr" : "en";
  const scripts = (found?.scripts[language] ?? []).map(tagOf);
  const session = deps.mayHaveSession(request) ? sessionTag : noSessionTag;
  return {
    head: [session, ...scripts].join(""),
    status: found === undefined && text !== undefined ? 404 : 200,
  };
}

/** The preload with the longest matching path. */
function findPreload(preloads: readonly Preload[], page: string, path: string) {
  return preloads
    .filter(({ folder, address }) => folder === page && matches(address, path))
    .toSorted((a, b) => wildcards(a) - wildcards(b))[0];
}

function matches(address: string, path: string): boolean {
  const [wanted, parts] = [address.split("/"), path.split("/")];
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part.startsWith("$") || part === parts[index])
  );
}

function wildcards({ address }: Preload): number {
  return address.split("$").length;
}

function trimEnd(path: string): string {
  return path.length > 1 ? path.replace(/\/$/u, "") : path;
}

function tagOf(script: string): string {
  return `<link rel="modulepreload" crossorigin href="/${script}">\n`;
}
