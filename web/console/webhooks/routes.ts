import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";
import { readTabSearch } from "./page/tab-search.ts";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks",
  component: lazyPage(
    ["webhooks", "event-types"],
    () => import("./list/list-page.tsx"),
    "WebhooksPage",
  ),
});

const create = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks/new",
  component: lazyPage(
    ["webhooks", "event-types"],
    () => import("./form/new-page.tsx"),
    "NewWebhookPage",
  ),
});

const one = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks/$webhookId",
  validateSearch: readTabSearch,
  component: lazyPage(
    // Events and results use the texts of the deliveries.
    ["webhooks", "event-types", "deliveries"],
    () => import("./page/webhook-page.tsx"),
    "WebhookPage",
  ),
});

const edit = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks/$webhookId/edit",
  component: lazyPage(
    ["webhooks", "event-types"],
    () => import("./form/edit-page.tsx"),
    "EditWebhookPage",
  ),
});

export const webhookRoutes = [list, create, one, edit];
