/**
 * `GET /m/{service_key}/{room_name}`: the page of a meeting. What it shows first is in its head, so
 * that it asks nothing before somebody enters. It changes nothing: mail scanners open links, too.
 */
import { Router, type RequestHandler } from "express";
import { securityHeaders } from "../http/http-server.ts";
import { rateLimited, type RateLimiter } from "../http/rate-limit.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import type { BuiltPages } from "./built-pages.ts";
import { sendBuiltPage, type FindFramePolicy } from "./page.ts";
import { rejectOtherMethods } from "./problem-pages.ts";

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

const path = "/m/:serviceKey/:roomName";

export function createMeetingPage(deps: MeetingPageDeps): Router {
  const router = Router();
  router.get(path, securityHeaders(), showMeeting(deps));
  router.all(path, rejectOtherMethods("GET, HEAD"));
  return router;
}

const keyShape = /^[0-9A-Za-z]{32}$/u;

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
    const isShaped = keyShape.test(serviceKey) && roomShape.test(roomName);
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
        head: headOfMeeting(meeting),
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

/** `web/meeting/entry/facts.ts` reads it. */
export function headOfMeeting(meeting: unknown): string {
  return `<meta name="meeting" content="${escapeAttribute(JSON.stringify(meeting ?? null))}">\n`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
