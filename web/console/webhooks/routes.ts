import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks",
  component: lazyRouteComponent(() => import("./list/list-page.tsx"), "WebhooksPage"),
});

const create = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks/new",
  component: lazyRouteComponent(() => import("./form/new-page.tsx"), "NewWebhookPage"),
});

const one = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks/$webhookId",
  component: lazyRouteComponent(() => import("./page/webhook-page.tsx"), "WebhookPage"),
});

const edit = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks/$webhookId/edit",
  component: lazyRouteComponent(() => import("./form/edit-page.tsx"), "EditWebhookPage"),
});

export const webhookRoutes = [list, create, one, edit];
