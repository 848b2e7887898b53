/** The start page and the mailbox: only local requests see all of them. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import { securityHeaders } from "../http/http-server.ts";
import type { BuiltPages } from "./built-pages.ts";
import { sendBuiltPage } from "./page.ts";
import { rejectOtherMethods } from "./problem-pages.ts";

export type HomeDeps = Readonly<{
  built: BuiltPages;
  /** Public address, without a trailing slash. */
  baseUrl: string;
  /** URL of the demo inbox. It contains a secret, so it is shown to local browsers only. */
  inboxUrl?: string | undefined;
  /** Whether `/mailbox` is mounted. It answers local requests only. */
  hasMailbox: boolean;
  /** Whether `/loader-demo` is mounted. */
  hasLoaderDemo: boolean;
  isLocal: IsLocal;
  /** Logins in the example commands: one to sign in with, and one that handles the first ticket. */
  examples: Readonly<{ login: string; agent: string }>;
}>;

/** Logins are shown to local requests only. */
export const placeholders = { login: "<login>", agent: "<login>" };

export type IsLocal = (request: Request) => boolean;

/** `/`: the start page of the platform. It reads `/home.json`. */
export function createHomeRouter(deps: HomeDeps): Router {
  const { built, baseUrl, inboxUrl = null, hasMailbox, hasLoaderDemo, isLocal, examples } = deps;
  const router = Router();
  router.get("/", (_request, response) => sendBuiltPage(response, { built, page: "home" }));
  router.get("/home.json", securityHeaders(), (request, response) => {
    const isShown = isLocal(request);
    response.set("Cache-Control", "no-store");
    response.json({
      inboxUrl: isShown ? inboxUrl : null,
      hasMailbox: isShown && hasMailbox,
      hasLoaderDemo,
      examples: { baseUrl, ...(isShown ? examples : placeholders) },
    });
  });
  router.all(["/", "/home.json"], rejectOtherMethods("GET, HEAD"));
  return router;
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/u;

const localNames = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

/** Proxies and tunnels add at least one of them. */
const proxyHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Whether a request comes from this machine without a proxy. The host name counts too, against DNS
 * rebinding. Never local if the public address is not: a proxy that adds no headers would look
 * local.
 */
export function createLocalCheck(isLocalPlatform: boolean): IsLocal {
  return (request) =>
    isLocalPlatform &&
    loopback.test(request.socket.remoteAddress ?? "") &&
    localNames.has(request.hostname ?? "") &&
    proxyHeaders.every((name) => request.get(name) === undefined);
}

/**
 * `GET /mailbox`: the mails and SMS that the provider `dev` stored instead of sending them. The page
 * reads `/mailbox/messages`; `/mailbox/messages/{id}/mail` is a mail as a mail client shows it. The
 * messages of all enterprises are visible: for development only, and for local requests only.
 */
type MailboxChannel = "email" | "sms";

type UnsentMessage = Readonly<{
  id: number;
  channel: MailboxChannel;
  recipient: string;
  sender: string;
  subject: string | null;
  text: string;
  html: string | null;
  calendar: string | null;
  segments: number | null;
  status: string;
  createdAt: Date;
}>;

export type MailboxDeps = Readonly<{
  built: BuiltPages;
  isLocal: IsLocal;
  unsent: Readonly<{
    list(
      page: Readonly<{ channel: MailboxChannel | undefined; before: number; limit: number }>,
    ): Promise<{ total: number; messages: readonly UnsentMessage[] }>;
    find(id: number): Promise<UnsentMessage | undefined>;
  }>;
}>;

/** Mounted under `/mailbox`. */
export function createMailboxRouter(deps: MailboxDeps): Router {
  const { built } = deps;
  const router = Router();
  router.use(securityHeaders(), onlyLocal(deps));
  router.get("/", (_request, response) => sendBuiltPage(response, { built, page: "mailbox" }));
  router.get("/messages", list(deps));
  router.get("/messages/:id/mail", showMail(deps));
  router.all(["/", "/messages", "/messages/:id/mail"], rejectOtherMethods("GET, HEAD"));
  return router;
}

function onlyLocal({ isLocal }: MailboxDeps): RequestHandler {
  return (request, response, next) => {
    if (isLocal(request)) {
      next();
    } else {
      response.status(404).type("text/plain").send("Not found.\n");
    }
  };
}

const pageSize = 50;

function list({ unsent }: MailboxDeps) {
  return async (request: Request, response: Response): Promise<void> => {
    const before = numberOf(request.query["before"], Number.MAX_SAFE_INTEGER);
    const channel = channelOf(request.query["channel"]);
    const { total, messages } = await unsent.list({ channel, before, limit: pageSize + 1 });
    response.set("Cache-Control", "no-store");
    response.json({
      total,
      hasMore: messages.length > pageSize,
      messages: messages.slice(0, pageSize).map(present),
    });
  };
}

function channelOf(value: unknown): MailboxChannel | undefined {
  return value === "email" || value === "sms" ? value : undefined;
}

function present(message: UnsentMessage) {
  return {
    id: message.id,
    channel: message.channel,
    to: message.recipient,
    from: message.sender,
    subject: message.subject,
    text: message.text,
    hasHtml: message.html !== null,
    calendar: message.calendar,
    segments: message.segments,
    status: message.status,
    created: message.createdAt.toISOString(),
  };
}

/**
 * A mail contains foreign HTML: no scripts, no external content, an opaque origin. Inline styles
 * are allowed, because mails use them.
 */
const mailPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

function showMail({ unsent }: MailboxDeps) {
  return async (request: Request, response: Response): Promise<void> => {
    const message = await unsent.find(numberOf(request.params["id"], 0));
    const html = message?.html ?? null;
    if (html === null) {
      response.status(404).type("text/plain").send("Not found.\n");
      return;
    }
    response.set({
      "Content-Security-Policy": mailPolicy,
      "X-Frame-Options": "SAMEORIGIN",
      "Cache-Control": "no-store",
    });
    response.removeHeader("Cross-Origin-Opener-Policy"); // sandboxed documents must not have it
    response.type("html").send(html);
  };
}

function numberOf(value: unknown, fallback: number): number {
  return typeof value === "string" && /^\d{1,15}$/u.test(value) ? Number(value) : fallback;
}
