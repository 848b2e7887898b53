import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";
import { searchOf } from "../use-search.ts";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/rooms",
  validateSearch: searchOf("page"),
  component: lazyPage("rooms", () => import("./list-page.tsx"), "LiveRoomsPage"),
});

const watch = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/rooms/$sessionId",
  component: lazyPage("rooms", () => import("./list-page.tsx"), "WatchPage"),
});

export const roomRoutes = [list, watch];
