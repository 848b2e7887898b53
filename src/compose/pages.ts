/** Composition of the pages. */
import type { Router } from "express";
import { createOpenTicketSession } from "../accounts/sessions/ticket-sessions.ts";
import { findUser } from "../accounts/directory-store.ts";
import { isLocalPlatform } from "../accounts/enterprises/model.ts";
import { createConferenceLinks } from "../conferences/service.ts";
import { createRoomPage } from "../conferences/room-routes.ts";
import { presentExpertCall } from "../guests/experts/access.ts";
import { reachOfCaller, scopeOf } from "../http/authorize.ts";
import { createAttachments } from "../pages/attachments.ts";
import {
  createCodeCheck,
  createCustomerLinks,
  createExpertPage,
  createMeetingPage,
  createShortLinks,
  type CustomerLinksDeps,
  type MeetingPageDeps,
} from "../pages/public-links.ts";
import { sessionIdsOf } from "../http/browser-session.ts";
import { createInboxRouter } from "../inbox/routes.ts";
import { openBuiltPages } from "../pages/built-pages.ts";
import {
  createHomeRouter,
  createLocalCheck,
  createMailboxRouter,
  type IsLocal,
  placeholders,
} from "../pages/local-pages.ts";
import { sendBuiltPage } from "../pages/page.ts";
import { createApiDocsPage, createPagesRouter, type PagesDeps } from "../pages/routes.ts";
import type { WebhookService } from "../subscriptions/service.ts";
import { findEntryPoint } from "../tickets/customer.ts";
import type { Platform } from "./platform.ts";
import type { Features } from "./features.ts";

type ComposedPages = Readonly<{
  apiDocs: Router;
  pages: Router;
  home: Router;
  isLocal: IsLocal;
  attachments: Router;
  shortLinks: Router;
  customerLinks: Router;
  meetingPage: Router;
  expertPage: Router;
  inbox?: Router;
  mailbox?: Router;
}>;

export function composePages(
  { config, log, clock, db, ids, baseUrl }: Platform,
  features: Features,
  { webhooks, inboxUrl }: { webhooks: WebhookService; inboxUrl: string | undefined },
): ComposedPages {
  const built = openBuiltPages(undefined, connectSourcesOf(config));
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
      findFramePolicy: features.embedding.findFramePolicy,
      limiter: features.limits.invitationForm,
      openTicketSession: createOpenTicketSession({ db, ids, baseUrl }),
      ...composeLookups(db, features),
    }),
    home: createHomeRouter({
      ...{ built, baseUrl, inboxUrl, examples, hasLoaderDemo },
      ...{ hasMailbox: isMailboxShown, isLocal },
    }),
    attachments: createAttachments({
      ...features.media.attachments,
      authenticate: features.authenticate,
      baseUrl,
      log,
    }),
    shortLinks: createShortLinks({
      ...createConferenceLinks({ db, baseUrl }),
      limiter: features.limits.guest,
    }),
    meetingPage: createMeetingPage({
      ...{ built, findMeeting: composeFindMeeting(db, features) },
      findFramePolicy: features.embedding.findFramePolicy,
      limiter: features.limits.guest,
    }),
    expertPage: createExpertPage({
      ...{ built, limiter: features.limits.guest },
      findCall: async (secret) => presentExpertCall(await features.experts.open(secret)),
    }),
    customerLinks: createCustomerLinks({
      built,
      limiter: features.limits.guest,
      findVisit: composeFindVisit(db, features),
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
      ? { mailbox: createMailboxRouter({ built, isLocal, unsent: features.messaging.unsent }) }
      : {}),
  };
}

/** What the router looks up by codes and ids that can be guessed. */
function composeLookups(
  db: Platform["db"],
  { limits, ticketGuests }: Features,
): Pick<PagesDeps, "isInformationKnown" | "entryPoints"> {
  return {
    isInformationKnown: createCodeCheck({
      limiter: limits.guest,
      find: (code) => ticketGuests.findByCode(db, code),
    }),
    entryPoints: {
      limiter: limits.guest,
      findEntryPoint: (buttonId) => findEntryPoint(db, buttonId),
    },
  };
}

/** Larger calls connect to LiveKit: by WebSocket, and by HTTP to learn why that fails. */
function connectSourcesOf({ livekit }: Platform["config"]): readonly string[] {
  return livekit === undefined ? [] : [livekit.url, livekit.url.replace(/^ws/u, "http")];
}

/** The ticket behind a customer's link, and the sites that may frame its page. */
function composeFindVisit(
  db: Platform["db"],
  { ticketGuests, embedding }: Features,
): CustomerLinksDeps["findVisit"] {
  return async (secret) => {
    const ticket = await ticketGuests.findBySecret(db, secret);
    if (ticket === undefined) {
      const wasDeleted = await ticketGuests.wasDeleted(db, { secret });
      return { kind: wasDeleted ? "deleted" : "unknown" };
    }
    const frameAncestors = await embedding.listFrameAncestors(ticket.enterpriseId);
    return { kind: "found", frameAncestors };
  };
}

/** With the role of the signed-in user, where their account may enter. */
function composeFindMeeting(
  db: Platform["db"],
  { browserSessions }: Features,
): MeetingPageDeps["findMeeting"] {
  const findRoomPage = createRoomPage({ db, directory: { findUser } });
  return async ({ serviceKey, roomName, cookieHeader }) => {
    const caller = await browserSessions.findOwner(cookieHeader);
    const reach = caller && reachOfCaller(caller, "conferences.read");
    const scope = caller && reach && scopeOf({ caller, reach });
    return findRoomPage({ serviceKey, roomName, scope });
  };
}

/** Whether messages are stored instead of sent, in development. */
function showsMailbox({ isInboxOn, mail, sms }: Platform["config"]): boolean {
  return isInboxOn && (mail.provider === "dev" || sms.provider === "dev");
}
