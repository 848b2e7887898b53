import express, {
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from "express";
import { problem } from "./contracts/problems.ts";
import {
  createMetricsHandler,
  createReadyHandler,
  handleLive,
  type HealthServerDeps,
} from "./http/health.ts";
import {
  createLastHandlers,
  rejectOtherMethods,
  createPublicPages,
} from "./pages/problem-pages.ts";
import { observePages, type ObservePage } from "./pages/observe.ts";
import { queryOf } from "./http/read-input.ts";
import { createApiRouter, type ApiRouterDeps } from "./http/router.ts";

export type AppDeps = ApiRouterDeps & {
  health: HealthServerDeps;
  trustProxy: boolean;
  observePage: ObservePage;
  /** Whether a request comes from this machine, without a proxy. */
  isLocal: (request: Request) => boolean;
  /** Absent if the built-in inbox is switched off. */
  inbox?: Router;
  /** The mailbox of the provider `dev`. Absent if all messages are sent, or without the inbox. */
  mailbox?: Router;
  attachments: Router;
  shortLinks: Router;
  customerLinks: Router;
  meetingPage: Router;
  expertPage: Router;
  home: Router;
  /** The page with the API description. */
  apiDocs: Router;
  /** The pages built from `web/`. */
  pages: Router;
};

/** The web process as one Express application. The mount order is the table of contents. */
export function buildApp(deps: AppDeps): Express {
  const app = express();
  app.set("env", "production"); // never show stack traces, whatever NODE_ENV says
  app.disable("x-powered-by");
  app.enable("case sensitive routing"); // one rule for every path; a trailing slash is ignored
  app.set("query parser", "simple");
  app.set("trust proxy", deps.trustProxy ? 1 : false);
  app.get("/livez", handleLive);
  app.get("/readyz", createReadyHandler(deps.health));
  app.get("/metrics", showMetrics(deps));
  app.all(["/livez", "/readyz", "/metrics"], rejectOtherMethods("GET, HEAD"));
  app.use("/api/docs", deps.apiDocs);
  app.use(createApiRouter(deps));
  if (deps.inbox !== undefined) {
    app.use("/inbox", deps.inbox);
    app.all("/inbox/:key", rejectOtherMethods("GET, HEAD, POST"));
    app.all("/inbox/:key/requests", rejectOtherMethods("GET, HEAD"));
  }
  if (deps.mailbox !== undefined) {
    app.use("/mailbox", deps.mailbox);
    app.use("/outbox", redirectToMailbox);
  }
  app.use(observePages(deps.observePage));
  app.use(deps.attachments);
  app.use(deps.shortLinks);
  app.use(deps.customerLinks);
  app.use(deps.meetingPage);
  app.use(deps.expertPage);
  app.use(createPublicPages({ baseUrl: deps.baseUrl }));
  app.use(deps.pages);
  app.use(deps.home);
  app.use(...createLastHandlers(deps));
  return app;
}

/** For bookmarks: earlier versions had the mailbox at `/outbox`. */
function redirectToMailbox(request: Request, response: Response): void {
  const query = queryOf(request.url);
  const path = request.path === "/" ? "" : request.path;
  response.redirect(308, `/mailbox${path}${query === "" ? "" : `?${query}`}`);
}

/**
 * On the public port `/metrics` needs the token. Without a configured token it answers local
 * requests only.
 */
function showMetrics({ health, isLocal }: Pick<AppDeps, "health" | "isLocal">): RequestHandler {
  const show = createMetricsHandler(health);
  return (request, response, next) => {
    if (health.metricsToken === undefined && !isLocal(request)) {
      next(problem("not_found", "The address was not found."));
    } else {
      void show(request, response);
    }
  };
}
