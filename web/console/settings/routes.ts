import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./page.tsx"), "SettingsPage"),
});

export const settingRoutes = [list];
