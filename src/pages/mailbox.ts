/**
 * `GET /mailbox`: the mails and SMS that the provider `dev` stored instead of sending them. The page
 * reads `/mailbox/messages`; `/mailbox/messages/{id}/mail` is a mail as a mail client shows it. The
 * messages of all enterprises are visible: for development only, and for local requests only.
 */
import { Router, type Request, type RequestHandler, type Response } from "express";
import { rejectOtherMethods } from "./problem-pages.ts";
import { securityHeaders } from "../http/http-server.ts";
import type { BuiltPages } from "./built-pages.ts";
import type { IsLocal } from "./home.ts";
import { sendBuiltPage } from "./page.ts";

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
