import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/dashboard/deliveries",
  component: lazyRouteComponent(() => import("./page.tsx"), "DeliveriesPage"),
});

export const deliveryRoutes = [list];
