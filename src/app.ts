import express, { type Express, type Router } from "express";
import {
  createMetricsHandler,
  createReadyHandler,
  handleLive,
  type HealthServerDeps,
} from "./http/health.ts";
import { createLastHandlers, refuseOtherMethods } from "./http/last-handlers.ts";
import { createPublicPages } from "./http/public-pages.ts";
import { createApiRouter, type ApiRouterDeps } from "./http/router.ts";

export type AppDeps = ApiRouterDeps & {
  health: HealthServerDeps;
  trustProxy: boolean;
  /** Absent where the built-in receiver is switched off. */
  inbox?: Router;
  /** What would have been sent; absent with the inbox. */
  outbox?: Router;
  attachments: Router;
  shortLinks: Router;
  home: Router;
  /** What was built of `web/`. */
  pages: Router;
};

/** The web process as one Express application. The mount order is the table of contents. */
export const buildApp = (deps: AppDeps): Express => {
  const app = express();
  app.set("env", "production"); // Express must show no stacks, whatever NODE_ENV says
  app.disable("x-powered-by");
  app.set("query parser", "simple");
  app.set("trust proxy", deps.trustProxy ? 1 : false);
  app.get("/livez", handleLive);
  app.get("/readyz", createReadyHandler(deps.health));
  app.get("/metrics", createMetricsHandler(deps.health));
  app.all(["/livez", "/readyz", "/metrics"], refuseOtherMethods("GET, HEAD"));
  app.use(createApiRouter(deps));
  if (deps.inbox !== undefined) {
    app.use("/inbox", deps.inbox);
    app.all("/inbox/:key", refuseOtherMethods("GET, HEAD, POST"));
    app.all("/inbox/:key/requests", refuseOtherMethods("GET, HEAD"));
  }
  if (deps.outbox !== undefined) {
    app.use("/outbox", deps.outbox);
  }
  app.use(deps.attachments);
  app.use(deps.shortLinks);
  app.use(createPublicPages({ baseUrl: deps.baseUrl }));
  app.use(deps.pages);
  app.use(deps.home);
  app.use(...createLastHandlers(deps));
  return app;
};
