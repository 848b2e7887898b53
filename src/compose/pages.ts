/** Composition of what people open in a browser. */
import type { Router } from "express";
import { isLocalPlatform } from "../accounts/enterprises/model.ts";
import { findServiceOwner } from "../accounts/framing-store.ts";
import { createConferenceLinks } from "../conferences/links.ts";
import { createAttachments } from "../http/attachments.ts";
import { createShortLinks } from "../http/short-links.ts";
import { createInboxRouter } from "../inbox/routes.ts";
import { openBuiltPages } from "../pages/built.ts";
import { createHomeRouter } from "../pages/home.ts";
import { createLocalCheck } from "../pages/local-request.ts";
import { createOutboxRouter } from "../pages/outbox.ts";
import { sendBuiltPage } from "../pages/page.ts";
import { createPagesRouter } from "../pages/routes.ts";
import type { WebhookService } from "../webhooks/service.ts";
import type { Platform } from "./platform.ts";
import type { Slices } from "./slices.ts";

/** Where messages are kept instead of sent, on a set-up for development. */
const hasOutbox = ({ isInboxOn, mail, sms }: Platform["config"]): boolean =>
  isInboxOn && (mail.provider === "outbox" || sms.provider === "outbox");

/** An active service, and one of whoever is signed in where somebody is. */
const serviceCheckOf =
  ({ db, browserSessions }: Slices) =>
  async ({
    serviceKey,
    cookieHeader,
  }: {
    serviceKey: string;
    cookieHeader: string | undefined;
  }) => {
    const enterpriseId = await findServiceOwner(db, serviceKey);
    const caller = await browserSessions.findOwner(cookieHeader);
    return (
      enterpriseId !== undefined && (caller === undefined || caller.enterpriseId === enterpriseId)
    );
  };

type Pages = Readonly<{
  pages: Router;
  home: Router;
  attachments: Router;
  shortLinks: Router;
  inbox?: Router;
  outbox?: Router;
}>;

export const composePages = (
  { config, log, clock, db, baseUrl }: Platform,
  slices: Slices,
  { webhooks, inboxUrl }: { webhooks: WebhookService; inboxUrl: string | undefined },
): Pages => {
  const built = openBuiltPages();
  const examples = { login: config.firstAdmin.login, agent: config.firstAgent.login };
  const { frameAncestors } = slices.framing;
  const isLocal = createLocalCheck(isLocalPlatform(baseUrl));
  const isOutboxShown = hasOutbox(config);
  const hasLoaderDemo = config.isInboxOn;
  return {
    pages: createPagesRouter({
      ...{ built, log, frameAncestors, hasLoaderDemo },
      isService: serviceCheckOf(slices),
    }),
    home: createHomeRouter({
      ...{ built, baseUrl, inboxUrl, examples, hasLoaderDemo },
      ...{ hasOutbox: isOutboxShown, isLocal },
    }),
    attachments: createAttachments({
      ...slices.media.attachments,
      authenticate: slices.accounts.authenticate,
      baseUrl,
      log,
    }),
    shortLinks: createShortLinks({
      ...createConferenceLinks({ db, baseUrl }),
      limiter: slices.limits.guest,
      baseUrl,
      log,
    }),
    ...(config.isInboxOn
      ? {
          inbox: createInboxRouter({
            ...{ db, log, clock, webhooks, baseUrl, examples },
            showPage: (response, page, status) => sendBuiltPage(response, { built, page, status }),
          }),
        }
      : {}),
    ...(isOutboxShown
      ? { outbox: createOutboxRouter({ built, isLocal, kept: slices.messaging.kept }) }
      : {}),
  };
};
