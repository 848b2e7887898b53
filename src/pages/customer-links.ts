/**
 * `GET /v/{secret}`: the address that customers are sent. Until it is a room, it leads to the page
 * that says who invites them, and when. That page has another, weaker code: the secret, which lets one
 * act as the customer, goes no further.
 */
import { Router, type RequestHandler } from "express";
import { problem } from "../contracts/problems.ts";
import { refuseOtherMethods } from "../http/last-handlers.ts";
import { rateLimited } from "../http/limits.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { clientNetwork } from "../platform/net/client-network.ts";

export type CustomerLinksDeps = Readonly<{
  findInformationCode(
    secret: string,
  ): Promise<Readonly<{ kind: "found"; code: string } | { kind: "over" | "unknown" }>>;
  /** Secrets must not be tried out. */
  limiter: Pick<RateLimiter, "take">;
}>;

export function createCustomerLinks(deps: CustomerLinksDeps): Router {
  const router = Router();
  router.get("/v/:secret", securityHeaders(), lead(deps));
  router.all("/v/:secret", refuseOtherMethods("GET, HEAD"));
  return router;
}

const secretShape = /^[0-9A-Za-z]{1,64}$/u;

const refusals = {
  over: () => problem("gone", "This link is over."),
  unknown: () => problem("not_found", "There is no such link."),
};

function lead({ findInformationCode, limiter }: CustomerLinksDeps): RequestHandler {
  return async (request, response) => {
    const verdict = await limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    const secret = String(request.params["secret"]);
    const found = secretShape.test(secret)
      ? await findInformationCode(secret)
      : ({ kind: "unknown" } as const);
    if (found.kind !== "found") {
      throw refusals[found.kind]();
    }
    response.set("Cache-Control", "no-store").redirect(302, `/i/${found.code}`);
  };
}
