import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";
import { readQuestion } from "./explain/explain-search.ts";
import { readNowSearch } from "./live/period.ts";
import { readSearch } from "./log/search.ts";
import { readReplaySearch } from "./replays/criteria.ts";

const area = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/dashboard/deliveries",
  component: lazyPage(["deliveries", "event-types"], () => import("./page.tsx"), "DeliveriesPage"),
});

const first = createRoute({
  getParentRoute: () => area,
  path: "/",
  validateSearch: readNowSearch,
  component: lazyPage(
    ["deliveries", "event-types"],
    () => import("./live/live-page.tsx"),
    "NowPage",
  ),
});

const log = createRoute({
  getParentRoute: () => area,
  path: "/log",
  validateSearch: readSearch,
  component: lazyPage(
    ["deliveries", "event-types"],
    () => import("./log/log-page.tsx"),
    "DeliveryLog",
  ),
});

const replays = createRoute({
  getParentRoute: () => area,
  path: "/replays",
  validateSearch: readReplaySearch,
  component: lazyPage(
    ["deliveries", "event-types"],
    () => import("./replays/replays-page.tsx"),
    "ReplaysPage",
  ),
});

const one = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/dashboard/deliveries/$deliveryId",
  component: lazyPage(
    ["deliveries", "event-types"],
    () => import("./detail/delivery-page.tsx"),
    "DeliveryPage",
  ),
});

const explain = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/dashboard/explain",
  validateSearch: readQuestion,
  component: lazyPage(
    ["deliveries", "event-types"],
    () => import("./explain/explain-page.tsx"),
    "ExplainPage",
  ),
});

export const deliveryRoutes = [area.addChildren([first, log, replays]), one, explain];
