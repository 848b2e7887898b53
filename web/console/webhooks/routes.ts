import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks",
  component: lazyPage("webhooks", () => import("./list/list-page.tsx"), "WebhooksPage"),
});

const create = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks/new",
  component: lazyPage("webhooks", () => import("./form/new-page.tsx"), "NewWebhookPage"),
});

const one = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks/$webhookId",
  component: lazyPage("webhooks", () => import("./page/webhook-page.tsx"), "WebhookPage"),
});

const edit = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks/$webhookId/edit",
  component: lazyPage("webhooks", () => import("./form/edit-page.tsx"), "EditWebhookPage"),
});

export const webhookRoutes = [list, create, one, edit];
