/**
 * `GET /v/{secret}`: the customer's page. It changes nothing on the platform: link previews and mail
 * scanners open links too, so that only the page's script begins a visit.
 */
import { Router, type RequestHandler, type Request, type Response } from "express";
import { problem } from "../contracts/problems.ts";
import { rejectOtherMethods } from "./problem-pages.ts";
import { rateLimited, type RateLimiter } from "../http/rate-limit.ts";
import { securityHeaders } from "../http/http-server.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import { queryOf } from "../http/read-input.ts";
import type { BuiltPages } from "./built-pages.ts";
import { sendBuiltPage } from "./page.ts";

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
  response.set("Cache-Control", "no-store").redirect(302, found.url);
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
