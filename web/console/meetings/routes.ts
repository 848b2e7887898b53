import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";
import { meetingSearch } from "./list-search.ts";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/meetings",
  validateSearch: meetingSearch,
  component: lazyPage("meetings", () => import("./list-page.tsx"), "MeetingsPage"),
});

const create = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/meetings/new",
  component: lazyPage("meetings", () => import("./create-page.tsx"), "NewMeetingPage"),
});

const one = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/meetings/$conferenceId",
  component: lazyPage("meetings", () => import("./meeting-page.tsx"), "MeetingPage"),
});

export const meetingRoutes = [list, create, one];
