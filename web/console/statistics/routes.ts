import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";
import { statisticsSearch } from "./search.ts";

const statistics = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/statistics",
  validateSearch: statisticsSearch,
  component: lazyPage("statistics", () => import("./page.tsx"), "StatisticsPage"),
});

export const statisticsRoutes = [statistics];
