import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lazy-page.ts";
import { signedInRoute } from "../root-routes.tsx";
import { messageSearch } from "./list-search.ts";

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/messages",
  validateSearch: messageSearch,
  component: lazyPage("messages", () => import("./list-page.tsx"), "MessagesPage"),
});

export const messageRoutes = [list];
