import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/messages",
  component: lazyRouteComponent(() => import("./page.tsx"), "MessagesPage"),
});

export const messageRoutes = [list];
