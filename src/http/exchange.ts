/** One call of an operation, and the steps that every kind of operation has in common. */
import type { Request, Response } from "express";
import { problem } from "../contracts/problems.ts";
import type { Logger } from "../platform/logger.ts";
import type { Authenticated } from "./authorize.ts";
import type { BrowserSessions } from "./browser-session.ts";
import type { CheckAnswer } from "./check-answer.ts";
import type { Idempotency } from "./idempotency.ts";
import { limitHeaders, rateLimited, type Limits } from "./limits.ts";
import type { DescribedWebhook } from "./openapi/webhooks.ts";
import type { Match } from "./path-table.ts";
import type { ObserveRequest, RequestRecord } from "./request-record.ts";
import { takesFiles } from "./read-input.ts";
import type { AnyRoute, Guest, Method } from "./route.ts";
import type { Seats } from "./seats.ts";
import type { Input, RawInput } from "./validate.ts";

export type ApiRouterDeps = {
  routes: readonly AnyRoute[];
  /** The owner of a token that is good at this moment. Asked on every call: revoking is instant. */
  authenticate: (token: string) => Promise<Authenticated | undefined>;
  /** For the cookies of our own pages. Absent: no cookie is looked at. */
  sessions?: BrowserSessions;
  /** Who a room token was made for, unless it is over or not ours. */
  verifyRoomToken: (token: string) => Promise<Guest | undefined>;
  limits: Pick<Limits, AnyRoute["limit"]>;
  idempotency: Idempotency;
  /** For files that are on their way here. Absent: as many as the API has in production. */
  uploads?: Seats;
  /** Public address without a slash at the end. */
  baseUrl: string;
  /** For the description of the API: what is sent to receivers. */
  webhooks?: readonly DescribedWebhook[];
  log: Pick<Logger, "info" | "warn" | "error">;
  observe?: ObserveRequest;
  /** For tests: throws where an answer is not what the description of the API says. */
  checkAnswer?: CheckAnswer;
};

export type Operation = {
  method: Method;
  path: string;
  aliases?: readonly string[];
  route: AnyRoute;
  validate: (input: RawInput) => Input;
};

export type Exchange = {
  request: Request;
  response: Response;
  record: RequestRecord;
  match: Match<Operation>;
  /** What must be done once the answer is out, whatever it is. */
  afterwards: (() => Promise<void>)[];
};

export function findOperation({ request, match }: Pick<Exchange, "request" | "match">): Operation {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const operation = match.methods.get(method as Method);
  if (operation === undefined) {
    const allowed = [...match.methods.keys()].flatMap((m) => (m === "GET" ? [m, "HEAD"] : [m]));
    throw problem("method_not_allowed", `The path has no operation for ${request.method}.`, {
      headers: { Allow: allowed.join(", ") },
    });
  }
  return operation;
}

/** JSON is always there, also for operations that answer files: their refusals are JSON. */
export function checkAccept(request: Request, { answer }: Pick<AnyRoute, "answer">): void {
  const produced = answer.produces ?? [];
  if (!request.accepts(["application/json", "application/problem+json", ...produced])) {
    const types = ["JSON", ...produced].join(" or ");
    throw problem("not_acceptable", `Answers are ${types}, which the Accept header excludes.`);
  }
}

/** From here on every answer says where the caller stands, refusals too. */
export async function countCall(
  { limits }: Pick<ApiRouterDeps, "limits">,
  { limit }: Pick<AnyRoute, "limit">,
  { key, response }: { key: string; response: Response },
): Promise<void> {
  const verdict = await limits[limit].take(key);
  if (!verdict.isAllowed) {
    throw rateLimited(verdict);
  }
  response.set(limitHeaders(verdict));
}

const comeBackSeconds = 5;

/**
 * A file may take a quarter of an hour to come, and lies on the disk or in memory meanwhile: so
 * many are on their way at once. `who`: somebody of the enterprise.
 */
export function reserveUpload(
  { uploads }: Pick<ApiRouterDeps, "uploads">,
  { route, exchange }: { route: AnyRoute; exchange: Exchange },
  { enterpriseId, who }: { enterpriseId: number; who: string },
): void {
  if (uploads === undefined || !takesFiles(route)) {
    return;
  }
  const release = uploads.take(enterpriseId, who);
  if (release === undefined) {
    throw problem("rate_limited", "Too many files at once. Try again in a few seconds.", {
      headers: { "Retry-After": String(comeBackSeconds) },
    });
  }
  exchange.afterwards.push(async () => release());
}
