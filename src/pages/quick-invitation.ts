/**
 * The page of the invitation form: decides who may embed it, and logs unknown services. The page
 * itself reads the query.
 */
import type { Request, RequestHandler } from "express";
import type { Logger } from "../platform/logger.ts";
import { rateLimited } from "../http/limits.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import type { BuiltPages } from "./built-pages.ts";
import { sendBuiltPage } from "./page.ts";

/** What a request for a page says about who asks. */
export type FramedRequest = Readonly<{
  /** The `Host` header, with or without a port. */
  host: string | undefined;
  serviceKey: string | undefined;
  cookieHeader: string | undefined;
}>;

export type QuickInvitationDeps = Readonly<{
  built: BuiltPages;
  /**
   * The CSP sources that may show the page in a frame, and whether an active service has this key;
   * one they may invite to, where somebody is signed in.
   */
  findFramePolicy(
    request: FramedRequest,
  ): Promise<Readonly<{ frameAncestors: readonly string[]; isService: boolean }>>;
  /** Unauthenticated, and causes a database read. */
  limiter: Pick<RateLimiter, "take">;
  log: Pick<Logger, "warn">;
  nowMs?: () => number;
}>;

const keyShape = /^[0-9A-Za-z]{32}$/u;

export function showQuickInvitation(deps: QuickInvitationDeps): RequestHandler {
  const warnOfUnknown = createWarning(deps);
  return async (request: Request, response) => {
    const verdict = await deps.limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    const input = firstOf(request.query["service_key"]);
    const { frameAncestors, isService } = await deps.findFramePolicy({
      host: request.headers.host,
      serviceKey: input !== undefined && keyShape.test(input) ? input : undefined,
      cookieHeader: request.headers.cookie,
    });
    if (input !== undefined && !isService) {
      warnOfUnknown(input);
    }
    const page = { built: deps.built, page: "quick-invitation" };
    await sendBuiltPage(response, page, { frameAncestors });
  };
}

const minuteMs = 60_000;

/** Bounds memory: prefixes are client input. */
const maxPrefixes = 100;

/** Logs each unknown key prefix once a minute; never the whole key. */
function createWarning({ log, nowMs = Date.now }: QuickInvitationDeps) {
  const warned = new Set<string>();
  let untilMs = 0;
  return (input: string): void => {
    const prefix = input.slice(0, 4);
    if (nowMs() >= untilMs) {
      warned.clear();
      untilMs = nowMs() + minuteMs;
    }
    if (warned.size < maxPrefixes && !warned.has(prefix)) {
      warned.add(prefix);
      log.warn(
        { serviceKey: { begins: prefix, length: input.length } },
        "quick_invitation.unknown_service",
      );
    }
  };
}

/** The first value of a name that may stand in the query several times. */
function firstOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" && first !== "" ? first : undefined;
}
