/** Composition of the pages. */
import type { Router } from "express";
import { isLocalPlatform } from "../accounts/enterprises/model.ts";
import { createConferenceLinks } from "../conferences/service.ts";
import { createAttachments } from "../pages/attachments.ts";
import { sessionIdsOf } from "../http/browser-session.ts";
import { createShortLinks, createCustomerLinks, createCodeCheck } from "../pages/public-links.ts";
import { createInboxRouter } from "../inbox/routes.ts";
import { openBuiltPages } from "../pages/built-pages.ts";
import { createHomeRouter, placeholders, createLocalCheck, type IsLocal } from "../pages/home.ts";
import { createMailboxRouter } from "../pages/mailbox.ts";
import { sendBuiltPage } from "../pages/page.ts";
import { createApiDocsPage, createPagesRouter } from "../pages/routes.ts";
import type { WebhookService } from "../subscriptions/service.ts";
import type { Platform } from "./platform.ts";
import type { Slices } from "./slices.ts";

type ComposedPages = Readonly<{
  apiDocs: Router;
  pages: Router;
  home: Router;
  isLocal: IsLocal;
  attachments: Router;
  shortLinks: Router;
  customerLinks: Router;
  inbox?: Router;
  mailbox?: Router;
}>;

export function composePages(
  { config, log, clock, db, baseUrl }: Platform,
  slices: Slices,
  { webhooks, inboxUrl }: { webhooks: WebhookService; inboxUrl: string | undefined },
): ComposedPages {
  const built = openBuiltPages();
  const examples = { login: config.firstAdmin.login, agent: config.firstAgent.login };
  const isOnThisMachine = isLocalPlatform(baseUrl);
  const isLocal = createLocalCheck(isOnThisMachine);
  const isMailboxShown = showsMailbox(config);
  const hasLoaderDemo = config.isInboxOn && isOnThisMachine;
  return {
    isLocal,
    apiDocs: createApiDocsPage({ built }),
    pages: createPagesRouter({
      ...{ built, log, hasLoaderDemo },
      mayHaveSession: ({ headers }) => sessionIdsOf(headers.cookie, baseUrl).length > 0,
      findFramePolicy: slices.embedding.findFramePolicy,
      limiter: slices.limits.invitationForm,
      isInformationKnown: createCodeCheck({
        limiter: slices.limits.guest,
        find: (code) => slices.ticketGuests.findByCode(db, code),
      }),
    }),
    home: createHomeRouter({
      ...{ built, baseUrl, inboxUrl, examples, hasLoaderDemo },
      ...{ hasMailbox: isMailboxShown, isLocal },
    }),
    attachments: createAttachments({
      ...slices.media.attachments,
      authenticate: slices.authenticate,
      baseUrl,
      log,
    }),
    shortLinks: createShortLinks({
      ...createConferenceLinks({ db, baseUrl }),
      limiter: slices.limits.guest,
    }),
    customerLinks: createCustomerLinks({
      limiter: slices.limits.guest,
      findInformationCode: async (secret) => {
        const ticket = await slices.ticketGuests.findBySecret(db, secret);
        if (ticket !== undefined) {
          return { kind: "found", code: ticket.informationCode };
        }
        const wasDeleted = await slices.ticketGuests.wasDeleted(db, { secret });
        return { kind: wasDeleted ? "over" : "unknown" };
      },
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
    ...(isMailboxShown
      ? { mailbox: createMailboxRouter({ built, isLocal, unsent: slices.messaging.unsent }) }
      : {}),
  };
}

/** Whether messages are stored instead of sent, in development. */
function showsMailbox({ isInboxOn, mail, sms }: Platform["config"]): boolean {
  return isInboxOn && (mail.provider === "dev" || sms.provider === "dev");
}
