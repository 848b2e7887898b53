import { Router, type Request, type Response } from "express";
import { randomUUID } from "node:crypto";
import { problem, type Problem } from "../contracts/problems.ts";
import type { Logger } from "../platform/logger.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import { sendProblem } from "./answer.ts";
import { describeError, toProblem } from "./faults.ts";
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
  /** Public address without a slash at the end. */
  baseUrl: string;
  log: Pick<Logger, "error">;
}>;

const refusals = {
  over: () => problem("gone", "This meeting is over."),
  unknown: () => problem("not_found", "There is no such link."),
};

const follow = async (deps: ShortLinksDeps, request: Request, response: Response) => {
  const verdict = await deps.limiter.take(clientNetwork(request.ip));
  if (!verdict.isAllowed) {
    throw rateLimited(verdict);
  }
  const found = await deps.findByShortCode(String(request.params["code"]), queryOf(request.url));
  if (found.kind !== "found") {
    throw refusals[found.kind]();
  }
  response.set("Cache-Control", "no-store").redirect(302, found.url);
};

const refuse = ({ baseUrl, log }: ShortLinksDeps, response: Response, thrown: unknown): void => {
  const fault: Problem = toProblem(thrown);
  if (fault.kind === "internal") {
    log.error({ err: describeError(fault.cause ?? thrown) }, "link.failed");
  }
  sendProblem(response, fault, { baseUrl, requestId: randomUUID(), isOauth: false });
};

const serveWith =
  (deps: ShortLinksDeps) =>
  async (request: Request, response: Response): Promise<void> => {
    try {
      await follow(deps, request, response);
    } catch (thrown) {
      refuse(deps, response, thrown);
    }
  };

/** `GET /s/{code}` leads to a meeting's room and keeps the query, which may hold the guest's name. */
export const createShortLinks = (deps: ShortLinksDeps): Router => {
  const router = Router();
  router.get("/s/:code", securityHeaders(), serveWith(deps));
  return router;
};
