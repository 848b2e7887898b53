/** Sends built pages: CSP with nonce, nothing inline or foreign, frame-ancestors as allowed. */
import { randomBytes } from "node:crypto";
import type { Response, Request } from "express";
import { setHsts } from "../http/http-server.ts";
import type { BuiltPages } from "./built-pages.ts";

export type PageHeadersOptions = Readonly<{
  /** CSP sources that may show the page in a frame; nobody where there are none. */
  frameAncestors?: readonly string[];
}>;

export type BuiltPage = Readonly<{
  built: BuiltPages;
  page: string;
  status?: number;
  /** Markup for the end of its head. */
  head?: string;
}>;

/**
 * The scripts that a page of an application begins with, in its first bytes: a browser that learns of
 * them one after the other waits for the network once for each.
 */
type ConsoleLanguage = "en" | "fr";

type Preload = Readonly<{
  folder: string;
  /** A part that begins with `$` stands for any. */
  address: string;
  scripts: Readonly<Record<ConsoleLanguage, readonly string[]>>;
}>;

export type PreloadDeps = Readonly<{
  built: BuiltPages;
  page: string;
  /** Whether a request may belong to a session; where not, the page need not ask. */
  mayHaveSession(request: Request): boolean;
}>;

export type PageStart = Readonly<{
  /** For the head of the page that is sent to this request. */
  head: string;
  /** 404 where the application has nothing at this address: it says so itself. */
  status: 200 | 404;
}>;

const noncePlaceholder = /__CSP_NONCE__/gu;

/** Sends a built page with a nonce of its own. */
export async function sendBuiltPage(
  response: Response,
  { built, page, status = 200, head = "" }: BuiltPage,
  { frameAncestors = [] }: PageHeadersOptions = {},
): Promise<void> {
  const nonce = randomBytes(16).toString("base64url");
  const html = (await built.html(page))
    .replace(noncePlaceholder, nonce)
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
  setHsts(response);
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

/** Embeddable pages need CORP `cross-origin`, or parents with COEP block them. */
function resourcePolicyOf(frameAncestors: readonly string[]): string {
  return frameAncestors.every((source) => source === "'self'") ? "same-origin" : "cross-origin";
}

/** Written by the build, `web/build/preloads.ts`. */
const preloadsFile = "preloads.json";

/** Asked for by every page of the console before anything else. */
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

/** The one that names most of the path. */
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
