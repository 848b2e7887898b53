import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/meetings",
  component: lazyRouteComponent(() => import("./page.tsx"), "MeetingsPage"),
});

export const meetingRoutes = [list];
