import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../root-routes.tsx";
import { meetingSearch } from "./list-search.ts";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/meetings",
  validateSearch: meetingSearch,
  component: lazyRouteComponent(() => import("./list-page.tsx"), "MeetingsPage"),
});

const create = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/meetings/new",
  component: lazyRouteComponent(() => import("./create-page.tsx"), "NewMeetingPage"),
});

const one = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/meetings/$conferenceId",
  component: lazyRouteComponent(() => import("./meeting-page.tsx"), "MeetingPage"),
});

export const meetingRoutes = [list, create, one];
