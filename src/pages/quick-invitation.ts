/**
 * The address of the invitation form. What its query means is the page's to know; here is decided
 * who may show it in a frame, and told to the log when it names a service that there is not.
 */
import type { Request, RequestHandler } from "express";
import type { Logger } from "../platform/logger.ts";
import type { BuiltPages } from "./built.ts";
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
  /** The CSP sources that may show the page in a frame. */
  frameAncestors(request: FramedRequest): Promise<readonly string[]>;
  /** Whether an active service has this key; of whoever is signed in, where somebody is. */
  isService(
    request: Readonly<{ serviceKey: string; cookieHeader: string | undefined }>,
  ): Promise<boolean>;
  log: Pick<Logger, "warn">;
}>;

const keyShape = /^[0-9A-Za-z]{32}$/u;

/** The first value of a name that may stand in the query several times. */
const firstOf = (value: unknown): string | undefined => {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" && first !== "" ? first : undefined;
};

/** Enough to find the link that is wrong; whatever else was put there by mistake stays unsaid. */
const told = (given: string) => ({ begins: given.slice(0, 4), length: given.length });

const warnOfUnknown = async (
  { isService, log }: QuickInvitationDeps,
  given: string | undefined,
  cookieHeader: string | undefined,
): Promise<void> => {
  if (given === undefined) {
    return;
  }
  const isKnown = keyShape.test(given) && (await isService({ serviceKey: given, cookieHeader }));
  if (!isKnown) {
    log.warn({ serviceKey: told(given) }, "quick_invitation.unknown_service");
  }
};

export const showQuickInvitation =
  (deps: QuickInvitationDeps): RequestHandler =>
  async (request: Request, response) => {
    const given = firstOf(request.query["service_key"]);
    const cookieHeader = request.headers.cookie;
    await warnOfUnknown(deps, given, cookieHeader);
    const frameAncestors = await deps.frameAncestors({
      host: request.headers.host,
      serviceKey: given !== undefined && keyShape.test(given) ? given : undefined,
      cookieHeader,
    });
    const page = { built: deps.built, page: "quick-invitation" };
    await sendBuiltPage(response, page, { frameAncestors });
  };
