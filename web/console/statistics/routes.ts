import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/statistics",
  component: lazyRouteComponent(() => import("./page.tsx"), "StatisticsPage"),
});

export const statisticsRoutes = [list];
