import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/platform",
  component: lazyRouteComponent(() => import("./page.tsx"), "PlatformPage"),
});

export const platformRoutes = [list];
