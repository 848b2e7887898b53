import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";
import { messageSearch } from "./list-search.ts";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/messages",
  validateSearch: messageSearch,
  component: lazyRouteComponent(() => import("./list-page.tsx"), "MessagesPage"),
});

export const messageRoutes = [list];
