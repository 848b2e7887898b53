import { Router, type Request, type Response } from "express";
import { problem } from "../contracts/problems.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import { rateLimited } from "./limits.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { queryOf } from "./read-input.ts";
import { securityHeaders } from "./security-headers.ts";

export type ShortLinksDeps = Readonly<{
  findByShortCode(
    code: string,
    query: string,
  ): Promise<Readonly<{ kind: "found"; url: string } | { kind: "over" | "unknown" }>>;
  /** Codes are short: they must not be tried out. */
  limiter: Pick<RateLimiter, "take">;
}>;

/**
 * `GET /s/{code}` leads to a meeting's room and keeps the query, which may hold the guest's name.
 * Refusals are told by the last handlers: as a page to browsers.
 */
export function createShortLinks(deps: ShortLinksDeps): Router {
  const router = Router();
  router.get("/s/:code", securityHeaders(), (request, response) => follow(deps, request, response));
  return router;
}

const refusals = {
  over: () => problem("gone", "This meeting is over."),
  unknown: () => problem("not_found", "There is no such link."),
};

async function follow(deps: ShortLinksDeps, request: Request, response: Response): Promise<void> {
  const verdict = await deps.limiter.take(clientNetwork(request.ip));
  if (!verdict.isAllowed) {
    throw rateLimited(verdict);
  }
  const found = await deps.findByShortCode(String(request.params["code"]), queryOf(request.url));
  if (found.kind !== "found") {
    throw refusals[found.kind]();
  }
  response.set("Cache-Control", "no-store").redirect(302, found.url);
}
