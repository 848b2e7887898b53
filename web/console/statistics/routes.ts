import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";
import { statisticsSearch } from "./search.ts";

const statistics = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/statistics",
  validateSearch: statisticsSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "StatisticsPage"),
});

export const statisticsRoutes = [statistics];
