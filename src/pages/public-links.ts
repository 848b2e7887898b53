/** The pages that a public link opens: of a customer, an information code, an entry point, a meeting, and an expert. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { FindFramePolicy } from "../contracts/directory.ts";
import type { EntryPoint } from "../contracts/tickets.ts";
import { problem } from "../contracts/problems.ts";
import { securityHeaders } from "../http/http-server.ts";
import { rateLimited, type RateLimiter } from "../http/rate-limit.ts";
import { queryOf } from "../http/read-input.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import type { BuiltPages } from "./built-pages.ts";
import { sendBuiltPage } from "./page.ts";
import { rejectOtherMethods } from "./problem-pages.ts";

/**
 * `GET /v/{secret}`: the customer's page. It changes nothing on the platform: link previews and mail
 * scanners open links too, so that only the page's script begins a visit.
 */
export type CustomerLinksDeps = Readonly<{
  built: BuiltPages;
  /** `frameAncestors`: the sites of the ticket's enterprise that may embed the page. */
  findVisit(
    secret: string,
  ): Promise<
    Readonly<{ kind: "found"; frameAncestors: readonly string[] } | { kind: "deleted" | "unknown" }>
  >;
  /** Rate-limited against enumeration. */
  limiter: Pick<RateLimiter, "take">;
}>;

/**
 * The `Referrer-Policy` of redirects to a page. A framed page sends messages to the site that embeds
 * it, and finds that site's origin in its referrer: Firefox before 148 has it nowhere else.
 */
export const redirectReferrerPolicy = "origin";

export function createCustomerLinks(deps: CustomerLinksDeps): Router {
  const router = Router();
  router.get("/v/:secret", securityHeaders(), showVisit(deps));
  router.all("/v/:secret", rejectOtherMethods("GET, HEAD"));
  return router;
}

const secretShape = /^[0-9A-Za-z]{1,64}$/u;

const customerLinkProblems = {
  deleted: () =>
    problem("gone", "The ticket of this link was deleted.", { details: "Reason deleted" }),
  unknown: () => problem("not_found", "The link was not found."),
};

function showVisit({ built, findVisit, limiter }: CustomerLinksDeps): RequestHandler {
  return async (request, response) => {
    const verdict = await limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    const secret = String(request.params["secret"]);
    const found = secretShape.test(secret)
      ? await findVisit(secret)
      : ({ kind: "unknown" } as const);
    if (found.kind !== "found") {
      throw customerLinkProblems[found.kind]();
    }
    const { frameAncestors } = found;
    response.removeHeader("X-Frame-Options"); // set for the problem pages of this address
    await sendBuiltPage(response, { built, page: "visit" }, { frameAncestors });
  };
}

type ShortLinkFault = "ended" | "cancelled" | "unknown";

export type ShortLinksDeps = Readonly<{
  findByShortCode(
    code: string,
    query: string,
  ): Promise<Readonly<{ kind: "found"; url: string } | { kind: ShortLinkFault }>>;
  /** Rate-limited against enumeration. */
  limiter: Pick<RateLimiter, "take">;
}>;

/**
 * `GET /s/{code}`: redirects to the room of a meeting and keeps the query, which may contain the
 * guest's name. Errors are answered by the last handlers, as a page for browsers.
 */
export function createShortLinks(deps: ShortLinksDeps): Router {
  const router = Router();
  router.get("/s/:code", securityHeaders(), (request, response) =>
    followShortLink(deps, request, response),
  );
  return router;
}

const shortLinkProblems: Readonly<Record<ShortLinkFault, () => Error>> = {
  ended: () => problem("gone", "This meeting has ended.", { details: "Reason ended" }),
  cancelled: () => problem("gone", "This meeting was cancelled.", { details: "Reason cancelled" }),
  unknown: () => problem("not_found", "The link was not found."),
};

async function followShortLink(
  deps: ShortLinksDeps,
  request: Request,
  response: Response,
): Promise<void> {
  const verdict = await deps.limiter.take(clientNetwork(request.ip));
  if (!verdict.isAllowed) {
    throw rateLimited(verdict);
  }
  const found = await deps.findByShortCode(String(request.params["code"]), queryOf(request.url));
  if (found.kind !== "found") {
    throw shortLinkProblems[found.kind]();
  }
  response
    .set({ "Cache-Control": "no-store", "Referrer-Policy": redirectReferrerPolicy })
    .redirect(302, found.url);
}

/** Whether the code exists. */
export type IsCodeKnown = (request: Request) => Promise<boolean>;

type CodeCheckDeps = Readonly<{
  /** Short codes: rate-limited against enumeration. */
  limiter: Pick<RateLimiter, "take">;
  find: (code: string) => Promise<unknown>;
}>;

const codeForm = /^[0-9A-Za-z]{10}$/u;

export function createCodeCheck({ limiter, find }: CodeCheckDeps): IsCodeKnown {
  return async (request) => {
    const code = String(request.params["code"]);
    if (!codeForm.test(code)) {
      return false;
    }
    const { isAllowed } = await limiter.take(clientNetwork(request.ip));
    return !isAllowed || (await find(code)) !== undefined;
  };
}

/** Sends the page in any case, with 404 for an unknown code. */
export function showInformation(built: BuiltPages, isKnown: IsCodeKnown): RequestHandler {
  return async (request, response) => {
    const status = (await isKnown(request)) ? 200 : 404;
    await sendBuiltPage(response, { built, page: "information", status });
  };
}

export type EntryPointPageDeps = Readonly<{
  built: BuiltPages;
  /** Undefined: it accepts no requests. The page gets it as it is. */
  findEntryPoint(buttonId: number): Promise<EntryPoint | undefined>;
  /** Ids can be guessed: rate-limited against enumeration. */
  limiter: Pick<RateLimiter, "take">;
}>;

const buttonIdShape = /^[1-9]\d{0,14}$/u;

/** The request form of an entry point. Sends the page in any case, with 404 for an unknown one. */
export function showEntryPoint(deps: EntryPointPageDeps): RequestHandler {
  return async (request, response) => {
    const verdict = await deps.limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    const id = String(request.params["buttonId"]);
    const found = buttonIdShape.test(id) ? await deps.findEntryPoint(Number(id)) : undefined;
    const page = { built: deps.built, page: "entry-point", status: found ? 200 : 404 };
    await sendBuiltPage(response, { ...page, head: headOf("entry-point", found) });
  };
}

/**
 * `GET /m/{service_key}/{room_name}`: the page of a meeting. What it shows first is in its head, so
 * that it requests nothing before somebody enters. It changes nothing: mail scanners open links, too.
 */
export type MeetingRequest = Readonly<{
  serviceKey: string;
  roomName: string;
  cookieHeader: string | undefined;
}>;

export type MeetingPageDeps = Readonly<{
  built: BuiltPages;
  /** Undefined: no such room. The page gets it as it is. */
  findMeeting(request: MeetingRequest): Promise<Readonly<{ status: string }> | undefined>;
  findFramePolicy: FindFramePolicy;
  /** Rate-limited against enumeration. */
  limiter: Pick<RateLimiter, "take">;
}>;

const meetingPath = "/m/:serviceKey/:roomName";

export function createMeetingPage(deps: MeetingPageDeps): Router {
  const router = Router();
  router.get(meetingPath, securityHeaders(), showMeeting(deps));
  router.all(meetingPath, rejectOtherMethods("GET, HEAD"));
  return router;
}

/** Looser than `serviceKeyField`, because it only bounds what is looked up. */
export const serviceKeyShape = /^[0-9A-Za-z]{32}$/u;

const roomShape = /^[0-9a-f]{32}:[0-9a-f]{32}$/u;

function showMeeting(deps: MeetingPageDeps): RequestHandler {
  return async (request, response) => {
    const verdict = await deps.limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    const [serviceKey, roomName] = ["serviceKey", "roomName"].map((name) =>
      String(request.params[name]),
    ) as [string, string];
    const { host, cookie: cookieHeader } = request.headers;
    const isShaped = serviceKeyShape.test(serviceKey) && roomShape.test(roomName);
    const meeting = isShaped
      ? await deps.findMeeting({ serviceKey, roomName, cookieHeader })
      : undefined;
    const { frameAncestors } = await deps.findFramePolicy({
      ...{ host, cookieHeader },
      serviceKey: isShaped ? serviceKey : undefined,
    });
    response.removeHeader("X-Frame-Options"); // set for the problem pages of this address
    await sendBuiltPage(
      response,
      {
        built: deps.built,
        page: "meeting",
        status: statusOf(meeting),
        head: headOf("meeting", meeting),
      },
      { frameAncestors },
    );
  };
}

function statusOf(meeting: Readonly<{ status: string }> | undefined): number {
  if (meeting === undefined) {
    return 404;
  }
  return meeting.status === "ended" || meeting.status === "cancelled" ? 410 : 200;
}

/** `web/meeting/entry/facts.ts` and `web/entry-point/entry-point.ts` read it. */
function headOf(name: string, facts: unknown): string {
  return `<meta name="${name}" content="${escapeAttribute(JSON.stringify(facts ?? null))}">\n`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/**
 * `GET /x/{secret}`: the page of an expert whom an agent invited into a call. It is the page of a
 * meeting with other facts in its head. It changes nothing: mail scanners open links, too.
 */
export type ExpertPageDeps = Readonly<{
  built: BuiltPages;
  /** The page gets it as it is. Throws 404 or 410 for a link that is not valid. */
  findCall(secret: string): Promise<object>;
  /** Rate-limited against enumeration. */
  limiter: Pick<RateLimiter, "take">;
}>;

const expertPath = "/x/:secret";

export function createExpertPage(deps: ExpertPageDeps): Router {
  const router = Router();
  router.get(expertPath, securityHeaders(), showCall(deps));
  router.all(expertPath, rejectOtherMethods("GET, HEAD"));
  return router;
}

const expertSecretShape = /^[0-9A-Za-z]{22}$/u;

function showCall({ built, findCall, limiter }: ExpertPageDeps): RequestHandler {
  return async (request, response) => {
    const verdict = await limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    const secret = String(request.params["secret"]);
    if (!expertSecretShape.test(secret)) {
      throw problem("not_found", "The link was not found.");
    }
    const head = headOf("meeting", await findCall(secret));
    await sendBuiltPage(response, { built, page: "meeting", head });
  };
}
