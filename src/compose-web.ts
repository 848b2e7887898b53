/** Composition, second half: the slices of a web process, stores → services → routes → app. */
import { buildApp } from "./app.ts";
import { healthOf, type Platform } from "./compose.ts";
import { createAccountRoutes } from "./accounts/routes.ts";
import {
  findAgentByLogin,
  findGroup,
  findServiceForTickets,
  findUser,
} from "./accounts/directory-store.ts";
import { createPasswords } from "./accounts/password.ts";
import { createAccounts } from "./accounts/service.ts";
import { createSsoTokens } from "./accounts/sso-tokens.ts";
import { createConversations } from "./conversations/service.ts";
import { createLimits, type Limits } from "./http/limits.ts";
import { createHttpServer } from "./http/http-server.ts";
import { createIdempotency } from "./http/idempotency.ts";
import {
  closableRateStores,
  postgresRateStores,
  redisRateStores,
  type RateStores,
} from "./http/rate-store.ts";
import type { PublicRoute, Route } from "./http/route.ts";
import { createHomeRouter } from "./inbox/home-routes.ts";
import { createInboxRouter } from "./inbox/routes.ts";
import { deleteInboxRequests } from "./inbox/store.ts";
import { createOutbox } from "./pipeline/outbox/append.ts";
import { openRedis } from "./platform/queue/backend.ts";
import { sessionEventRoutes } from "./session-events/routes.ts";
import { createSessionEvents } from "./session-events/service.ts";
import { ticketRoutes } from "./tickets/routes.ts";
import { createTickets, type Tickets } from "./tickets/service.ts";
import { createWebhookRoutes } from "./webhooks/routes.ts";
import { createWebhookService, type WebhookService } from "./webhooks/service.ts";

type ServicesDeps = Platform & { rateStores: RateStores };

type Services = {
  authenticate: ReturnType<typeof createAccounts>["authenticate"];
  limits: Limits;
  webhooks: WebhookService;
  /** Every operation of the REST interface. */
  routes: readonly (Route | PublicRoute)[];
};

const composeTickets = (deps: ServicesDeps): { tickets: Tickets; routes: Route[] } => {
  const { db, clock, ids, notifier, baseUrl } = deps;
  const sessionEvents = createSessionEvents({ db });
  const tickets = createTickets({
    db,
    clock,
    ids,
    directory: { findAgentByLogin, findUser, findServiceForTickets, findGroup },
    conversations: createConversations({ ids }),
    timeline: sessionEvents,
    ssoTokens: createSsoTokens({ ids }),
    outbox: createOutbox({
      ids,
      clock,
      faultPoint: deps.faultPoint,
      wake: () => notifier.wake("outbox"),
    }),
  });
  const routes = [
    ...ticketRoutes({ tickets, baseUrl }),
    ...sessionEventRoutes({
      sessionEvents,
      requireTicket: (scope, ticketId) => tickets.get(scope, ticketId),
    }),
  ];
  return { tickets, routes };
};

const composeWebhooks = (deps: ServicesDeps): WebhookService => {
  const { db, box, ids, log, guard, notifier } = deps;
  return createWebhookService({
    db,
    secretBox: box,
    ids,
    log,
    checkUrl: (url) => guard.checkResolved(url),
    inbox: { bases: [deps.inboxBase, deps.baseUrl], forget: deleteInboxRequests },
    onChanged: () => {
      notifier.wake("outbox");
      notifier.wake("schedule");
    },
  });
};

const composeServices = (deps: ServicesDeps): Services => {
  const { config, db, ids, log, baseUrl } = deps;
  const limits = createLimits(config.limits, deps.rateStores);
  const { tokenTtlSeconds } = config;
  const passwords = createPasswords();
  const accounts = createAccounts({ db, ids, passwords, limits, tokenTtlSeconds, log });
  const webhooks = composeWebhooks(deps);
  return {
    authenticate: (token) => accounts.authenticate(token),
    limits,
    webhooks,
    routes: [
      ...createAccountRoutes({ accounts, baseUrl }),
      ...composeTickets(deps).routes,
      ...createWebhookRoutes(webhooks),
    ],
  };
};

const rateStoresOf = ({ config, db, log, lifecycle }: Platform): RateStores => {
  if (config.redisUrl === undefined) {
    const { stores, close } = closableRateStores(postgresRateStores(db));
    lifecycle.onStop("rate limits", async () => close());
    return stores;
  }
  const redis = openRedis(config.redisUrl);
  redis.on("error", (error: Error) => log.debug({ reason: error.message }, "limits.redis_error"));
  lifecycle.onStop("rate limits", async () => redis.disconnect());
  return redisRateStores(redis, config.queuePrefix);
};

type Web = { app: ReturnType<typeof buildApp>; routes: Services["routes"] };

/** What the web role serves, and the operations it is made of. The home page shows `inboxUrl`. */
export const composeWeb = (platform: Platform, inboxUrl?: string): Web => {
  const { config, log, db, clock, baseUrl, metrics } = platform;
  const services = composeServices({ ...platform, rateStores: rateStoresOf(platform) });
  const examples = { login: config.firstAdmin.login, agent: config.firstAgent.login };
  const inbox = config.isInboxOn
    ? createInboxRouter({
        db,
        log,
        clock,
        webhooks: services.webhooks,
        baseUrl,
        examples,
      })
    : undefined;
  const app = buildApp({
    ...services,
    idempotency: createIdempotency(db, platform.box),
    baseUrl,
    log,
    observe: ({ method, route, status, seconds }) => {
      metrics.httpRequests.inc({ method, route, status: String(status) });
      metrics.httpDuration.observe({ method, route }, seconds);
    },
    health: healthOf(platform),
    trustProxy: config.trustProxy,
    home: createHomeRouter({ baseUrl, inboxUrl, examples }),
    ...(inbox === undefined ? {} : { inbox }),
  });
  return { app, routes: services.routes };
};

/** The web role: the REST interface, the inbox and the pages. Resolves once it listens. */
export const startWeb = async (platform: Platform, inboxUrl?: string): Promise<void> => {
  const { config, log, lifecycle, baseUrl } = platform;
  const server = createHttpServer(composeWeb(platform, inboxUrl).app);
  lifecycle.onStop("web server", async () => void (await server.close(config.shutdownGraceMs)));
  const port = await server.listen(config.port, config.host);
  log.info({ port, baseUrl }, "process.ready");
};
