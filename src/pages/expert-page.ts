/**
 * `GET /x/{secret}`: the page of an expert whom an agent invited into a call. It is the page of a
 * meeting with other facts in its head. It changes nothing: mail scanners open links, too.
 */
import { Router, type RequestHandler } from "express";
import { problem } from "../contracts/problems.ts";
import { securityHeaders } from "../http/http-server.ts";
import { rateLimited, type RateLimiter } from "../http/rate-limit.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import type { BuiltPages } from "./built-pages.ts";
import { headOfMeeting } from "./meeting-page.ts";
import { sendBuiltPage } from "./page.ts";
import { rejectOtherMethods } from "./problem-pages.ts";

export type ExpertPageDeps = Readonly<{
  built: BuiltPages;
  /** The page gets it as it is. Throws 404 or 410 for a link that is not valid. */
  findCall(secret: string): Promise<object>;
  /** Rate-limited against enumeration. */
  limiter: Pick<RateLimiter, "take">;
}>;

const path = "/x/:secret";

export function createExpertPage(deps: ExpertPageDeps): Router {
  const router = Router();
  router.get(path, securityHeaders(), showCall(deps));
  router.all(path, rejectOtherMethods("GET, HEAD"));
  return router;
}

const secretShape = /^[0-9A-Za-z]{22}$/u;

function showCall({ built, findCall, limiter }: ExpertPageDeps): RequestHandler {
  return async (request, response) => {
    const verdict = await limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    const secret = String(request.params["secret"]);
    if (!secretShape.test(secret)) {
      throw problem("not_found", "The link was not found.");
    }
    const head = headOfMeeting(await findCall(secret));
    await sendBuiltPage(response, { built, page: "meeting", head });
  };
}
