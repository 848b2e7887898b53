/** Composition of the web role: services → routes → app. */
import { findTicketOfMedia } from "../media/rows.ts";
import { ticketReachSql } from "../access/reach.ts";
import { buildApp } from "../app.ts";
import { createApiTokenRoutes } from "../accounts/api-tokens/routes.ts";
import { createAccountRoutes } from "../accounts/routes.ts";
import { createBrowserSessionRoutes } from "../accounts/sessions/routes.ts";
import { findUserOfAnyEnterprise } from "../accounts/directory-store.ts";
import { createAuditRoutes } from "../audit/audit-log.ts";
import { startLeftoverCleanup } from "./tasks.ts";
import { composePages } from "./pages.ts";
import { composeChats, serveSignalling } from "./signalling.ts";
import { platformOperations } from "./operations.ts";
import { composeFeatures, type Features } from "./features.ts";
import { explainPortInUse, healthOf, type Platform } from "./platform.ts";
import { composeWebhooks, webhookOperations } from "./webhooks.ts";
import type { WebhookService } from "../subscriptions/service.ts";
import { conferenceAnswer } from "../conferences/present.ts";
import { createPasswordGuard } from "../conferences/credentials.ts";
import {
  conferenceGuestRoutes,
  conferenceRoomRoutes,
  sipRoutes,
} from "../conferences/room-routes.ts";
import { conferenceRoutes } from "../conferences/routes.ts";
import { guestMessageRoutes, conversationRoutes } from "../conversations/routes.ts";
import { expertRoutes } from "../guests/experts/routes.ts";
import { createGuestLinks } from "../guests/links.ts";
import { guestRoutes, guestStaffRoutes } from "../guests/routes.ts";
import { createGuests } from "../guests/service.ts";
import { startMllp } from "../hl7/mllp.ts";
import { hl7Routes } from "../hl7/routes.ts";
import { isAuthorized } from "../http/authorize.ts";
import { createHttpServer, headersTooLarge, messageClasses } from "../http/http-server.ts";
import { createIdempotency } from "../http/idempotency.ts";
import type { CheckAnswer } from "../http/request-context.ts";
import type { AnyRoute } from "../http/route.ts";
import { ticketMessageRoutes } from "../messages/routes.ts";
import { sleep } from "../platform/concurrency/async.ts";
import { liveRoomRoutes } from "../rooms/live/routes.ts";
import { sessionRoutes } from "../rooms/statistics/routes.ts";
import {
  presentSessionEvent,
  entryAttributes,
  sessionEventRoutes,
} from "../session-events/routes.ts";
import { iceSettings } from "../signalling/ports.ts";
import { parseDevice } from "../statistics/row.ts";
import { statisticsRoutes, sessionStatisticsRoutes } from "../statistics/routes.ts";
import { createStatistics, createSessionStatistics } from "../statistics/service.ts";
import { isServiceKnown } from "../statistics/session-summary-store.ts";
import { ticketRequestRoutes, ticketRoutes } from "../tickets/routes.ts";
import { webhookBodies } from "../subscriptions/event-catalogue.ts";

/** Starts the web role: the REST API, the inbox and the pages. Resolves once it listens. */
export async function startWeb(platform: Platform, inboxUrl?: string): Promise<void> {
  const { config, log, lifecycle, baseUrl } = platform;
  const { app } = composeWeb(platform, { inboxUrl });
  const server = createHttpServer(app, {
    messages: messageClasses(app),
    refuseHeaders: headersTooLarge(platform.baseUrl),
  });
  lifecycle.onStop("web server", async (leftMs) => void (await server.close(leftMs)), "work");
  serveSignalling(platform, server);
  await serveMllp(platform);
  startLeftoverCleanup(platform);
  const port = await server
    .listen(config.port, config.host)
    .catch((thrown: unknown) => explainPortInUse(thrown, "PORT"));
  lifecycle.onDrain?.(async (signal) => {
    server.drain();
    await sleep(config.shutdownDrainMs, signal);
  });
  log.info({ port, pid: process.pid, baseUrl }, "process.ready");
}

type WebOptions = Readonly<{
  /** The address of the demo's inbox. */
  inboxUrl?: string | undefined;
  /** For tests: throws if an answer does not match the API description. */
  checkAnswer?: CheckAnswer;
}>;

type Web = { app: ReturnType<typeof buildApp>; routes: readonly AnyRoute[] };

/** The app of the web role and its routes. The home page shows `inboxUrl`. */
export function composeWeb(platform: Platform, { inboxUrl, checkAnswer }: WebOptions = {}): Web {
  const { config, log, db, baseUrl, metrics } = platform;
  const features = composeFeatures(platform);
  features.listenForIdentityChanges();
  const webhooks = composeWebhooks(platform, features);
  const routes = composeOperations(platform, features, webhooks);
  const app = buildApp({
    routes,
    authenticate: features.authenticate,
    sessions: features.browserSessions,
    verifyRoomToken: features.verifyRoomToken,
    limits: features.limits,
    idempotency: createIdempotency(db, platform.box),
    findTicketOfMedia: (enterpriseId, mediaId) => findTicketOfMedia(db, enterpriseId, mediaId),
    baseUrl,
    webhooks: webhookBodies(entryAttributes),
    log,
    observe: ({ method, route, status, seconds }) => {
      metrics.httpRequests.inc({ method, route, status: String(status) });
      metrics.httpDuration.observe({ method, route }, seconds);
    },
    observePage: ({ route, status }) => metrics.pageRequests.inc({ route, status: String(status) }),
    health: healthOf(platform),
    trustProxy: config.trustProxy,
    ...composePages(platform, features, { webhooks, inboxUrl }),
    ...(checkAnswer === undefined ? {} : { checkAnswer }),
  });
  return { app, routes };
}

/** Every operation of the REST API. */
function composeOperations(
  platform: Platform,
  features: Features,
  webhooks: WebhookService,
): AnyRoute[] {
  const {
    db,
    accounts,
    browserSessions: sessions,
    apiTokens,
    administration,
    messaging,
  } = features;
  const { requireEnterprise } = administration;
  const { baseUrl } = platform;
  return [
    ...createAccountRoutes({ accounts, baseUrl }),
    ...createBrowserSessionRoutes({ sessions, describeBrowser: parseDevice, baseUrl }),
    ...createApiTokenRoutes({ apiTokens, requireEnterprise }),
    ...administration.routes,
    ...createAuditRoutes({ db, requireEnterprise }),
    ...ticketOperations(platform, features),
    ...conferenceOperations(platform, features),
    ...roomOperations(platform, features),
    ...messaging.routes,
    ...webhookOperations(platform, features, webhooks),
    ...platformOperations(platform),
  ];
}

/** Tickets, their timelines and statistics, and the operations of their customers. */
function ticketOperations({ baseUrl, config }: Platform, features: Features): AnyRoute[] {
  const { db, clock, tickets, timeline, ticketGuests, rooms, roomTokens, messaging } = features;
  const guestDeps = {
    ...features,
    tickets: ticketGuests,
    getTicket: tickets.get,
    markClicked: messaging.invitations.markClicked,
    findLatestSession: rooms.findLatestSession,
    roomTokens,
    baseUrl,
  };
  const guests = {
    links: createGuestLinks(guestDeps),
    guests: createGuests(guestDeps),
    iceFor: (participant: string) => iceSettings(config.ice, participant, clock.now()),
    baseUrl,
  };
  return [
    ...ticketRoutes({ tickets, baseUrl }),
    ...ticketRequestRoutes({ tickets, baseUrl }),
    ...sessionEventRoutes({ sessionEvents: timeline, requireTicket: tickets.get }),
    ...ticketMessageRoutes({ db, requireTicket: tickets.get }),
    ...statisticsRoutes({
      statistics: createStatistics({ db, clock, ticketReach: ticketReachSql }),
    }),
    ...sessionStatisticsRoutes({ sessions: createSessionStatistics({ db, clock }) }),
    ...guestStaffRoutes(guests),
    ...guestRoutes(guests),
    ...expertRoutes(features.experts),
  ];
}

function conferenceOperations({ baseUrl }: Platform, features: Features): AnyRoute[] {
  const { conferences, hl7, limits } = features;
  const passwords = createPasswordGuard(limits.badLogin);
  return [
    ...conferenceRoutes({ conferences, baseUrl }),
    ...conferenceRoomRoutes({ conferences, passwords }),
    ...conferenceGuestRoutes({ conferences, passwords }),
    ...sipRoutes({ conferences, limiter: limits.sip, baseUrl }),
    ...hl7Routes({ hl7, conferenceSchema: conferenceAnswer }),
  ];
}

/** The parts that tickets and conferences share: conversations, sessions, files. */
function roomOperations(platform: Platform, features: Features): AnyRoute[] {
  const { db, clock, audit, roomTokens, tickets, conferences, timeline, media } = features;
  const messages = composeChats(platform, features);
  return [
    ...conversationRoutes({
      db,
      messages,
      listTicketEvents: async (owner, page) => {
        const everything = {
          eventTypes: undefined,
          sources: undefined,
          since: undefined,
          until: undefined,
        };
        const { total, events } = await timeline.list(owner, everything, page);
        return { total, events: events.map(presentSessionEvent) };
      },
    }),
    ...guestMessageRoutes({ messages }),
    ...sessionRoutes({
      ...{ db, clock, requireTicket: tickets.get },
      requireConference: conferences.get,
      isServiceKnown: (enterpriseId, key) => isServiceKnown(db, enterpriseId, key),
    }),
    ...liveRoomRoutes({
      ...{ db, clock, audit, roomTokens },
      hasLivekit: platform.config.livekit !== undefined,
    }),
    ...media.routes,
    ...media.guestRoutes,
  ];
}

/** HL7 over MLLP, if configured, on behalf of the configured user. */
async function serveMllp(platform: Platform): Promise<void> {
  const { config, db, log, lifecycle } = platform;
  const { mllp } = config;
  if (mllp === undefined) {
    return;
  }
  const findActor = async () => {
    const user = await findUserOfAnyEnterprise(db, mllp.login);
    return user && { ...user, mayWrite: isAuthorized(user, "hl7.write") };
  };
  const { hl7 } = composeFeatures(platform);
  const server = await startMllp({
    ...{ hl7, findActor, log },
    ...{ port: mllp.port, host: mllp.host },
  }).catch((thrown: unknown) => explainPortInUse(thrown, "MLLP_PORT"));
  lifecycle.onStop("MLLP", () => server.close(), "work");
}
