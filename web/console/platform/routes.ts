import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";
import { searchOf } from "../use-search.ts";

const area = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/platform",
  component: lazyPage("platform", () => import("./page.tsx"), "PlatformPage"),
});

const health = createRoute({
  getParentRoute: () => area,
  path: "/",
  validateSearch: searchOf("runbook"),
  component: lazyPage("platform", () => import("./health/health-page.tsx"), "HealthPage"),
});

const enterprises = createRoute({
  getParentRoute: () => area,
  path: "/enterprises",
  validateSearch: searchOf("q", "page", "open"),
  component: lazyPage(
    "platform",
    () => import("./enterprises/enterprises-page.tsx"),
    "EnterprisesPage",
  ),
});

export const platformRoutes = [area.addChildren([health, enterprises])];
