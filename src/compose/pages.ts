/** Composition of what people open in a browser. */
import type { Router } from "express";
import { isLocalPlatform } from "../accounts/enterprises/model.ts";
import { createConferenceLinks } from "../conferences/links.ts";
import { createAttachments } from "../http/attachments.ts";
import { createShortLinks } from "../http/short-links.ts";
import { createInboxRouter } from "../inbox/routes.ts";
import { openBuiltPages } from "../pages/built.ts";
import { createHomeRouter, placeholders } from "../pages/home.ts";
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
  const isOnThisMachine = isLocalPlatform(baseUrl);
  const isLocal = createLocalCheck(isOnThisMachine);
  const isOutboxShown = hasOutbox(config);
  const hasLoaderDemo = config.isInboxOn && isOnThisMachine;
  return {
    pages: createPagesRouter({
      ...{ built, log, hasLoaderDemo },
      readFraming: slices.framing.read,
      limiter: slices.limits.invitationForm,
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
            ...{ db, log, clock, webhooks, baseUrl },
            examplesFor: (request) => (isLocal(request) ? examples : placeholders),
            showPage: (response, page, status) => sendBuiltPage(response, { built, page, status }),
          }),
        }
      : {}),
    ...(isOutboxShown
      ? { outbox: createOutboxRouter({ built, isLocal, kept: slices.messaging.kept }) }
      : {}),
  };
};
