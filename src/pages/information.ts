/** The page behind a short information link: the page itself says what it finds there. */
import type { Request, RequestHandler } from "express";
import type { RateLimiter } from "../http/rate-limit.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import type { BuiltPages } from "./built.ts";
import { sendBuiltPage } from "./page.ts";

/** Whether there is something behind the link. */
export type IsCodeKnown = (request: Request) => Promise<boolean>;

type CodeCheckDeps = Readonly<{
  /** Codes are short: whoever tries many is told nothing more. */
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

/** 404 where nothing is behind the link, with the page all the same. */
export function showInformation(built: BuiltPages, isKnown: IsCodeKnown): RequestHandler {
  return async (request, response) => {
    const status = (await isKnown(request)) ? 200 : 404;
    await sendBuiltPage(response, { built, page: "information", status });
  };
}
