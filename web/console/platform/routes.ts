import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";
import { searchOf } from "../use-search.ts";

const area = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/platform",
  component: lazyRouteComponent(() => import("./page.tsx"), "PlatformPage"),
});

const health = createRoute({
  getParentRoute: () => area,
  path: "/",
  validateSearch: searchOf("runbook"),
  component: lazyRouteComponent(() => import("./health/health-page.tsx"), "HealthPage"),
});

const enterprises = createRoute({
  getParentRoute: () => area,
  path: "/enterprises",
  validateSearch: searchOf("q", "page", "open"),
  component: lazyRouteComponent(
    () => import("./enterprises/enterprises-page.tsx"),
    "EnterprisesPage",
  ),
});

export const platformRoutes = [area.addChildren([health, enterprises])];
