/**
 * The agent's page of a room, a document of its own: sites that may frame it show one ticket, never
 * the console. The token of a `sso_url` becomes a cookie, and leaves the address by a redirect.
 */
import type { Request, RequestHandler, Response } from "express";
import { rateLimited, type RateLimiter } from "../http/rate-limit.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import { sendBuiltPage, startOfPage, type FindFramePolicy, type PreloadDeps } from "./page.ts";

export const agentCallPath = "/agent/entrypoint/:buttonId/tickets/:ticketId";

export type AgentCallDeps = Pick<PreloadDeps, "built" | "mayHaveSession"> &
  Readonly<{
    findFramePolicy: FindFramePolicy;
    /** Unauthenticated, and causes a database read. */
    limiter: Pick<RateLimiter, "take">;
    /** Out: `Set-Cookie` headers; none if the token is not valid for the ticket. */
    openTicketSession(
      request: Readonly<{
        token: string;
        ticketId: number;
        cookieHeader: string | undefined;
        userAgent: string | undefined;
        isEmbedded: boolean;
      }>,
    ): Promise<string[]>;
  }>;

export function showAgentCall(deps: AgentCallDeps): RequestHandler {
  return async (request, response) => {
    const verdict = await deps.limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    if (request.query["access_token"] !== undefined) {
      await exchangeToken(deps, request, response);
      return;
    }
    const { built, mayHaveSession } = deps;
    const { frameAncestors } = await deps.findFramePolicy({
      host: request.headers.host,
      serviceKey: undefined,
      cookieHeader: request.headers.cookie,
    });
    const { head } = await startOfPage({ built, mayHaveSession, page: "console/call" }, request);
    const page = { built, page: "console/call", head };
    await sendBuiltPage(response, page, { frameAncestors });
  };
}

/** An invalid token leads to the same page without a session: it says how to sign in. */
async function exchangeToken(
  deps: AgentCallDeps,
  request: Request,
  response: Response,
): Promise<void> {
  const token = request.query["access_token"];
  const ticketId = Number(request.params["ticketId"]);
  const cookies =
    typeof token === "string" && Number.isSafeInteger(ticketId)
      ? await deps.openTicketSession({
          ...{ token, ticketId },
          cookieHeader: request.headers.cookie,
          userAgent: request.headers["user-agent"],
          isEmbedded: isInForeignFrame(request),
        })
      : [];
  response.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
  if (cookies.length > 0) {
    response.set("Set-Cookie", cookies);
  }
  response.redirect(303, withoutToken(request));
}

/** Browsers keep a cookie there only with other attributes. */
function isInForeignFrame(request: Request): boolean {
  return (
    request.get("sec-fetch-dest") === "iframe" && request.get("sec-fetch-site") === "cross-site"
  );
}

/** Path and query of the same page; never another host, whatever the path begins with. */
function withoutToken(request: Request): string {
  const url = new URL(request.originalUrl, "http://page.invalid");
  url.searchParams.delete("access_token");
  return `${url.pathname}${url.search}`;
}
