import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings/webhooks",
  component: lazyRouteComponent(() => import("./page.tsx"), "WebhooksPage"),
});

export const webhookRoutes = [list];
