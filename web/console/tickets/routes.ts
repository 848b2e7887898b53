import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/tickets",
  component: lazyRouteComponent(() => import("./page.tsx"), "TicketsPage"),
});

export const ticketRoutes = [list];
